//! From planes of values to calls: variables of one type are set or read together.

use std::ops::Range;

use cardan_core::planes::{PlanesMut, PlanesRef};

use crate::description::{Kind, Variable};
use crate::ffi::{Called, Instance};

/// Variables of one type, in the order of the binding, and where their values lie on the plane.
///
/// Nearly always they lie side by side; then values go straight from the plane to the FMU and back.
#[derive(Clone, Debug)]
pub(crate) struct Group<T> {
    kind: Kind,
    references: Vec<u32>,
    spans: Vec<Range<usize>>,
    room: Vec<T>,
    /// Of whole numbers, which may be refused: where each variable begins among the values, and its name.
    names: Vec<(usize, String)>,
}

impl<T: Clone + Default + PartialEq> Group<T> {
    fn new(kind: Kind) -> Self {
        Group {
            kind,
            references: Vec::new(),
            spans: Vec::new(),
            room: Vec::new(),
            names: Vec::new(),
        }
    }

    fn push(&mut self, variable: &Variable, span: Range<usize>) {
        if self.kind.is_whole() {
            self.names.push((self.room.len(), variable.name.clone()));
        }
        self.references.push(variable.value_reference);
        self.room.resize(self.room.len() + span.len(), T::default());
        match self.spans.last_mut() {
            Some(last) if last.end == span.start => last.end = span.end,
            _ => self.spans.push(span),
        }
    }

    /// Their value references.
    pub(crate) fn references(&self) -> &[u32] {
        &self.references
    }

    /// The places of their elements on the plane.
    pub(crate) fn places(&self) -> impl Iterator<Item = usize> + '_ {
        self.spans.iter().cloned().flatten()
    }

    /// Are all their values the same on both planes?
    pub(crate) fn same(&self, one: &[T], other: &[T]) -> bool {
        self.spans
            .iter()
            .all(|span| one[span.clone()] == other[span.clone()])
    }

    /// Copies their values from plane to plane.
    pub(crate) fn copy(&self, from: &[T], to: &mut [T]) {
        for span in &self.spans {
            to[span.clone()].clone_from_slice(&from[span.clone()]);
        }
    }

    /// Their values side by side.
    #[inline]
    fn gathered<'a>(&'a mut self, plane: &'a [T]) -> (&'a [u32], &'a [T]) {
        if let [span] = self.spans.as_slice() {
            return (&self.references, &plane[span.clone()]);
        }
        for (to, from) in self.room.iter_mut().zip(self.spans.iter().cloned().flatten()) {
            to.clone_from(&plane[from]);
        }
        (&self.references, &self.room)
    }

    /// Lets `read` write their values side by side, then puts them where they belong.
    #[inline]
    fn scattered(
        &mut self,
        plane: &mut [T],
        read: impl FnOnce(&[u32], &mut [T]) -> Called<()>,
    ) -> Called<()> {
        if let [span] = self.spans.as_slice() {
            return read(&self.references, &mut plane[span.clone()]);
        }
        read(&self.references, &mut self.room)?;
        for (from, to) in self.room.iter().zip(self.spans.iter().cloned().flatten()) {
            plane[to].clone_from(from);
        }
        Ok(())
    }
}

impl Group<f64> {
    /// Are they scalars in double precision that fill the whole plane of `count` values in order?
    pub(crate) fn fills(&self, count: usize) -> bool {
        self.kind == Kind::Float64
            && self.references.len() == count
            && matches!(self.spans.as_slice(), [span] if *span == (0..count))
    }

    #[inline]
    pub(crate) fn set(&mut self, instance: &mut Instance, plane: &[f64]) -> Called<()> {
        let kind = self.kind;
        let (references, values) = self.gathered(plane);
        match kind {
            Kind::Float32 => instance.set_f32(references, values),
            _ => instance.set_f64(references, values),
        }
    }

    #[inline]
    pub(crate) fn get(&mut self, instance: &mut Instance, plane: &mut [f64]) -> Called<()> {
        let kind = self.kind;
        self.scattered(plane, |references, values| match kind {
            Kind::Float32 => instance.get_f32(references, values),
            _ => instance.get_f64(references, values),
        })
    }
}

impl Group<i64> {
    pub(crate) fn set(&mut self, instance: &mut Instance, plane: &[i64]) -> Called<()> {
        let kind = self.kind;
        let (references, values) = self.gathered(plane);
        let done = instance.set_integers(kind, references, values);
        done.map_err(|error| error.naming(|place| self.name(place)))
    }

    pub(crate) fn get(&mut self, instance: &mut Instance, plane: &mut [i64]) -> Called<()> {
        let kind = self.kind;
        let done = self.scattered(plane, |references, values| {
            instance.get_integers(kind, references, values)
        });
        done.map_err(|error| error.naming(|place| self.name(place)))
    }

    /// The variable to which the value at that place among all of them belongs.
    fn name(&self, place: usize) -> Option<&str> {
        let after = self.names.partition_point(|(first, _)| *first <= place);
        let (_, name) = self.names.get(after.checked_sub(1)?)?;
        Some(name)
    }
}

impl Group<bool> {
    pub(crate) fn set(&mut self, instance: &mut Instance, plane: &[bool]) -> Called<()> {
        let kind = self.kind;
        let (references, values) = self.gathered(plane);
        match kind {
            Kind::Clock => instance.set_clocks(references, values),
            _ => instance.set_booleans(references, values),
        }
    }

    pub(crate) fn get(&mut self, instance: &mut Instance, plane: &mut [bool]) -> Called<()> {
        let kind = self.kind;
        self.scattered(plane, |references, values| match kind {
            Kind::Clock => instance.get_clocks(references, values),
            _ => instance.get_booleans(references, values),
        })
    }
}

impl Group<Vec<u8>> {
    pub(crate) fn set(&mut self, instance: &mut Instance, plane: &[Vec<u8>]) -> Called<()> {
        let kind = self.kind;
        let (references, values) = self.gathered(plane);
        match kind {
            Kind::Binary => instance.set_binaries(references, values),
            _ => instance.set_strings(references, values),
        }
    }

    pub(crate) fn get(&mut self, instance: &mut Instance, plane: &mut [Vec<u8>]) -> Called<()> {
        let kind = self.kind;
        self.scattered(plane, |references, values| match kind {
            Kind::Binary => instance.get_binaries(references, values),
            _ => instance.get_strings(references, values),
        })
    }
}

/// Variables of all types, one group each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Groups {
    pub(crate) reals: Vec<Group<f64>>,
    pub(crate) integers: Vec<Group<i64>>,
    pub(crate) booleans: Vec<Group<bool>>,
    pub(crate) bytes: Vec<Group<Vec<u8>>>,
}

impl Groups {
    /// Adds a variable whose values lie at `span` of its plane.
    pub(crate) fn push(&mut self, variable: &Variable, span: Range<usize>) {
        fn into<T: Clone + Default + PartialEq>(
            groups: &mut Vec<Group<T>>,
            variable: &Variable,
            span: Range<usize>,
        ) {
            let place = groups.iter().position(|group| group.kind == variable.kind);
            let place = place.unwrap_or_else(|| {
                groups.push(Group::new(variable.kind));
                groups.len() - 1
            });
            groups[place].push(variable, span);
        }
        match variable.kind {
            Kind::Float32 | Kind::Float64 => into(&mut self.reals, variable, span),
            Kind::Boolean | Kind::Clock => into(&mut self.booleans, variable, span),
            Kind::String | Kind::Binary => into(&mut self.bytes, variable, span),
            _ => into(&mut self.integers, variable, span),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.reals.is_empty() && !self.has_discrete()
    }

    /// Is there anything besides reals?
    #[inline]
    pub(crate) fn has_discrete(&self) -> bool {
        !(self.integers.is_empty() && self.booleans.is_empty() && self.bytes.is_empty())
    }

    /// Reads all of them.
    #[inline]
    pub(crate) fn get(&mut self, instance: &mut Instance, planes: &mut PlanesMut<'_>) -> Called<()> {
        for group in &mut self.reals {
            group.get(instance, planes.reals)?;
        }
        if self.has_discrete() {
            for group in &mut self.integers {
                group.get(instance, planes.integers)?;
            }
            for group in &mut self.booleans {
                group.get(instance, planes.booleans)?;
            }
            for group in &mut self.bytes {
                group.get(instance, planes.bytes)?;
            }
        }
        Ok(())
    }

    /// Copies their values from planes to planes.
    pub(crate) fn copy(&self, from: PlanesRef<'_>, to: &mut PlanesMut<'_>) {
        self.reals
            .iter()
            .for_each(|group| group.copy(from.reals, to.reals));
        let (integers, booleans, bytes) = (&self.integers, &self.booleans, &self.bytes);
        integers
            .iter()
            .for_each(|group| group.copy(from.integers, to.integers));
        booleans
            .iter()
            .for_each(|group| group.copy(from.booleans, to.booleans));
        bytes.iter().for_each(|group| group.copy(from.bytes, to.bytes));
    }

    /// Sets those that differ from what was set `before`, and remembers.
    pub(crate) fn set_changed(
        &mut self,
        instance: &mut Instance,
        planes: PlanesRef<'_>,
        before: &mut PlanesMut<'_>,
    ) -> Called<()> {
        macro_rules! each {
            ($($plane:ident),*) => {$(
                for group in &mut self.$plane {
                    if !group.same(planes.$plane, before.$plane) {
                        group.set(instance, planes.$plane)?;
                        group.copy(planes.$plane, before.$plane);
                    }
                }
            )*};
        }
        each!(reals, integers, booleans, bytes);
        Ok(())
    }

    /// Sets all of them, and remembers.
    pub(crate) fn set_all(
        &mut self,
        instance: &mut Instance,
        planes: PlanesRef<'_>,
        before: &mut PlanesMut<'_>,
    ) -> Called<()> {
        macro_rules! each {
            ($($plane:ident),*) => {$(
                for group in &mut self.$plane {
                    group.set(instance, planes.$plane)?;
                    group.copy(planes.$plane, before.$plane);
                }
            )*};
        }
        each!(reals, integers, booleans, bytes);
        Ok(())
    }

    /// Does anything differ from what was set `before`?
    pub(crate) fn changed(&self, planes: PlanesRef<'_>, before: PlanesRef<'_>) -> bool {
        !(self
            .reals
            .iter()
            .all(|group| group.same(planes.reals, before.reals))
            && self
                .integers
                .iter()
                .all(|group| group.same(planes.integers, before.integers))
            && self
                .booleans
                .iter()
                .all(|group| group.same(planes.booleans, before.booleans))
            && self
                .bytes
                .iter()
                .all(|group| group.same(planes.bytes, before.bytes)))
    }
}
