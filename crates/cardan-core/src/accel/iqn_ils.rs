//! Interface quasi-Newton with an inverse Jacobian from a least-squares model (IQN-ILS).
//!
//! Every two evaluations in a row give a column `Δr` of the matrix `V` and a column `ΔG` of the matrix `W`, newest first.
//! The combination `c` of columns that comes nearest to taking the residual away, `min |V c + r|`, would move the
//! image by `W c`. So the next values are
//!
//! x' = G(x) + W c
//!
//! What no column describes is passed on as it is, which brings the missing direction into the next column. For linear
//! problems that is GMRES in other words (R. Haelterman, J. Degroote and others, 2009): with `m` the rank of `A` in
//! `x = A x + b` the solution is found after at most `m + 2` proposals.
//!
//! Columns of earlier steps are kept, for their steps resembled this one. Many columns are nearly dependent; those say
//! little but noise. `V` is made triangular from the newest column on, and a column of which less than a small part is
//! left once the newer ones are taken out of it is passed over (the filter "QR2": R. Haelterman, A. Bogaers and others,
//! 2016). It is not deleted: if this step is thrown away, so are the columns that made it superfluous.
//!
//! J. Degroote, K.-J. Bathe and J. Vierendeels, *Performance of a new partitioned procedure versus a monolithic procedure
//! in fluid–structure interaction*, Computers and Structures 87, 2009.

use super::relaxation::relaxed;
use super::track::Track;
use super::{Accelerator, NoProposal};
use crate::checkpoint::{Damage, Reader, Resumable, Writer};
use std::collections::VecDeque;

/// What [`IqnIls`] keeps and believes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct IqnIlsSettings {
    /// The part of the residual that a step takes when there is no column yet.
    pub first: f64,
    /// From how many accepted steps columns are kept.
    pub reuse: usize,
    /// How many columns are kept at most; the oldest go first. Room for them is set aside at once.
    pub columns: usize,
    /// A column is passed over if less than this part of it is independent of newer ones.
    pub filter: f64,
}

impl Default for IqnIlsSettings {
    fn default() -> Self {
        IqnIlsSettings {
            first: 0.5,
            reuse: 8,
            columns: 100,
            filter: 1e-6,
        }
    }
}

/// A quasi-Newton method that learns the directions it meets.
#[derive(Debug)]
pub struct IqnIls {
    settings: IqnIlsSettings,
    track: Track,
    history: Columns,
    model: Model,
}

impl IqnIls {
    /// With these settings.
    pub fn new(settings: IqnIlsSettings) -> Self {
        IqnIls {
            settings,
            track: Track::default(),
            history: Columns::new(0, 0),
            model: Model::new(0, 0),
        }
    }

    /// How many columns there are.
    pub fn columns(&self) -> usize {
        self.history.order.len()
    }

    /// How many of them the latest proposal used; the others depended on these.
    pub fn used(&self) -> usize {
        self.model.used.len()
    }

    fn learn(&mut self, x: &[f64], image: &[f64]) -> Result<(), NoProposal> {
        if self.track.take(x, image)? {
            self.history.add(self.track.changed(), self.track.moved());
        }
        Ok(())
    }
}

impl Default for IqnIls {
    fn default() -> Self {
        IqnIls::new(IqnIlsSettings::default())
    }
}

impl Accelerator for IqnIls {
    fn begin(&mut self, scales: &[f64]) {
        if self.track.begin(scales) {
            let (size, limit) = (scales.len(), self.settings.columns);
            self.history = Columns::new(size, limit);
            self.model = Model::new(size, limit);
        }
        self.history.forget_present_step();
    }

    fn propose(&mut self, x: &[f64], image: &[f64], next: &mut [f64]) -> Result<(), NoProposal> {
        NoProposal::unless_sized(self.track.size(), next)?;
        self.learn(x, image)?;
        self.model
            .build(&self.history, self.track.weights(), self.settings.filter);
        if !self.model.used.is_empty() {
            self.model.solve(self.track.residual(), self.track.weights());
            next.copy_from_slice(image);
            self.model.add_images(&self.history, next);
            if NoProposal::unless_finite(next).is_ok() {
                return Ok(());
            }
        }
        relaxed(self.settings.first, x, self.track.residual(), next)
    }

    fn accept(&mut self, x: &[f64], image: &[f64]) {
        // A last evaluation of no use adds no column.
        let _ = self.learn(x, image);
        self.history.keep_present_step(self.settings.reuse);
    }
}

impl Resumable for IqnIls {
    fn keep(&self, writer: &mut Writer) {
        self.track.keep(writer);
        writer.length(self.history.order.len());
        for column in &self.history.order {
            writer.length(column.age);
            writer.reals(self.history.residual(column.slot));
            writer.reals(self.history.image(column.slot));
        }
    }

    fn resume(&mut self, reader: &mut Reader<'_>) -> Result<(), Damage> {
        const WHAT: &str = "columns of IQN-ILS";
        self.track.resume(reader)?;
        let size = self.track.size();
        let count = reader.length(24 + 16 * size, WHAT)?;
        let limit = self.settings.columns;
        if count > limit {
            return Err(Damage::Unfit {
                what: WHAT,
                expected: limit,
                found: count,
            });
        }
        self.history = Columns::new(size, limit);
        self.model = Model::new(size, limit);
        for _ in 0..count {
            let age = usize::try_from(reader.count(WHAT)?).map_err(|_| Damage::Nonsense { what: WHAT })?;
            let Some(slot) = self.history.free.pop() else {
                break;
            };
            let place = slot * size..(slot + 1) * size;
            reader.fill(&mut self.history.residuals[place.clone()], WHAT)?;
            reader.fill(&mut self.history.images[place], WHAT)?;
            self.history.order.push_back(Column { slot, age });
        }
        Ok(())
    }
}

/// The differences of evaluations, in slots that are used again.
#[derive(Debug)]
struct Columns {
    size: usize,
    /// `Δr`, slot after slot.
    residuals: Vec<f64>,
    /// `ΔG`, slot after slot.
    images: Vec<f64>,
    free: Vec<usize>,
    /// Newest first.
    order: VecDeque<Column>,
}

#[derive(Clone, Copy, Debug)]
struct Column {
    slot: usize,
    /// How many accepted steps ago; zero is the present step.
    age: usize,
}

impl Columns {
    fn new(size: usize, limit: usize) -> Self {
        Columns {
            size,
            residuals: vec![0.0; size * limit],
            images: vec![0.0; size * limit],
            free: (0..limit).rev().collect(),
            order: VecDeque::with_capacity(limit),
        }
    }

    fn residual(&self, slot: usize) -> &[f64] {
        &self.residuals[slot * self.size..][..self.size]
    }

    fn image(&self, slot: usize) -> &[f64] {
        &self.images[slot * self.size..][..self.size]
    }

    fn add(&mut self, changed: &[f64], moved: &[f64]) {
        let oldest = || self.order.pop_back().map(|column| column.slot);
        let Some(slot) = self.free.pop().or_else(oldest) else {
            return;
        };
        self.order.push_front(Column { slot, age: 0 });
        let place = slot * self.size..(slot + 1) * self.size;
        self.residuals[place.clone()].copy_from_slice(changed);
        let images = self.images[place].iter_mut();
        for (image, (changed, moved)) in images.zip(changed.iter().zip(moved)) {
            *image = changed + moved;
        }
    }

    fn forget_present_step(&mut self) {
        while let Some(column) = self.order.pop_front_if(|column| column.age == 0) {
            self.free.push(column.slot);
        }
    }

    /// A step that brought no column does not age the others.
    fn keep_present_step(&mut self, reuse: usize) {
        if self.order.front().is_none_or(|newest| newest.age > 0) {
            return;
        }
        self.order.iter_mut().for_each(|column| column.age += 1);
        while let Some(column) = self.order.pop_back_if(|column| column.age > reuse) {
            self.free.push(column.slot);
        }
    }
}

/// The orthogonal and the triangular factor of the columns `V` in the scales of the step, and what is solved with them.
#[derive(Debug)]
struct Model {
    size: usize,
    /// No more columns than this can be independent.
    most: usize,
    /// Slots of the columns that passed the filter.
    used: Vec<usize>,
    /// Orthonormal, column after column, with room for one that is being tried.
    orthogonal: Vec<f64>,
    /// Upper triangle, column after column, `most` entries each.
    triangle: Vec<f64>,
    combination: Vec<f64>,
}

impl Model {
    fn new(size: usize, limit: usize) -> Self {
        let most = size.min(limit);
        Model {
            size,
            most,
            used: Vec::with_capacity(most),
            orthogonal: vec![0.0; size * most],
            triangle: vec![0.0; most * most],
            combination: vec![0.0; most],
        }
    }

    fn build(&mut self, history: &Columns, weights: &[f64], filter: f64) {
        self.used.clear();
        for column in &history.order {
            if self.used.len() == self.most {
                break;
            }
            if self.orthogonalize(history.residual(column.slot), weights, filter) {
                self.used.push(column.slot);
            }
        }
    }

    /// Gram and Schmidt's method, twice: once more makes it as orthogonal as numbers can be.
    fn orthogonalize(&mut self, column: &[f64], weights: &[f64], filter: f64) -> bool {
        let k = self.used.len();
        let (before, here) = self.orthogonal.split_at_mut(k * self.size);
        let trial = &mut here[..self.size];
        let entries = &mut self.triangle[k * self.most..][..=k];
        for (trial, (entry, weight)) in trial.iter_mut().zip(column.iter().zip(weights)) {
            *trial = entry * weight;
        }
        let length = norm(trial);
        entries.fill(0.0);
        for _ in 0..2 {
            for (entry, direction) in entries.iter_mut().zip(before.chunks_exact(self.size)) {
                let part = product(direction, trial);
                *entry += part;
                for (trial, direction) in trial.iter_mut().zip(direction) {
                    *trial -= part * direction;
                }
            }
        }
        let left = norm(trial);
        let inverse = 1.0 / left;
        // False too for what is zero or not a number.
        if !(left > filter * length && inverse.is_finite()) {
            return false;
        }
        entries[k] = left;
        trial.iter_mut().for_each(|trial| *trial *= inverse);
        true
    }

    /// Finds the combination of columns that is nearest to minus the residual.
    fn solve(&mut self, residual: &[f64], weights: &[f64]) {
        let k = self.used.len();
        let directions = self.orthogonal.chunks_exact(self.size);
        for (c, direction) in self.combination[..k].iter_mut().zip(directions) {
            let weighted = residual.iter().zip(weights).map(|(r, weight)| r * weight);
            *c = -weighted.zip(direction).map(|(r, q)| r * q).sum::<f64>();
        }
        for j in (0..k).rev() {
            let column = &self.triangle[j * self.most..][..=j];
            let (above, here) = self.combination.split_at_mut(j);
            here[0] /= column[j];
            for (c, entry) in above.iter_mut().zip(column) {
                *c -= here[0] * entry;
            }
        }
    }

    fn add_images(&self, history: &Columns, next: &mut [f64]) {
        for (c, &slot) in self.combination.iter().zip(&self.used) {
            for (next, image) in next.iter_mut().zip(history.image(slot)) {
                *next += c * image;
            }
        }
    }
}

fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(a: &[f64]) -> f64 {
    product(a, a).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_orthogonal_even_where_columns_nearly_depend_on_each_other() {
        // Läuchli's example: three columns that differ by their last digits. One pass leaves products of the size
        // ε / small ≈ 1e-8 between the directions; two leave a few ε.
        let small = 1e-8;
        let mut history = Columns::new(4, 3);
        for k in 1..4 {
            let mut column = [1.0, 0.0, 0.0, 0.0];
            column[k] = small;
            history.add(&column, &[0.0; 4]);
        }
        let mut model = Model::new(4, 3);
        model.build(&history, &[1.0; 4], 0.0);
        assert_eq!(model.used.len(), 3);
        let direction = |k: usize| &model.orthogonal[4 * k..4 * (k + 1)];
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            let overlap = product(direction(i), direction(j)).abs();
            assert!(overlap <= 8.0 * f64::EPSILON, "{i} {j}: {overlap:e}");
        }
    }
}
