//! Rows of the result: which instants, and the values at each.

use crate::error::RunError;
use crate::graph::{Conversion, ParticipantId};
use crate::plan::{ColumnSource, Plan};
use crate::planes::PlanesRef;
use crate::record::{Block, BytesColumn, ColumnData, Outlet, RecordError, RecordQueue, RowWriter};
use crate::time::SimTime;
use crate::value::{Plane, Value};
use crate::world::{World, row_value};
use std::ops::Range;
use std::sync::Arc;

/// Writes the rows behind the frontier into blocks.
pub(crate) struct Rows {
    plan: Arc<Plan>,
    way: Way,
    /// Rows on their way to the queue; just one on its way to the ring.
    block: Block,
    /// Neighbouring columns of the same participant, or of none.
    runs: Vec<(Option<ParticipantId>, Range<usize>)>,
    /// Are all columns continuous reals that go out as they are? Then a row is one short loop over `places`.
    plain: bool,
    /// For each column its owner and the place in the owner's row.
    places: Vec<(ParticipantId, u32)>,
    /// The next point of the grid.
    next: i64,
    /// The instant of the last row.
    last: SimTime,
    instants: Vec<SimTime>,
}

/// The way out.
enum Way {
    Queue(RecordQueue),
    Ring(RowWriter),
}

impl Rows {
    /// Goes on with another plan that has the same columns.
    pub(crate) fn replan(&mut self, plan: Arc<Plan>) {
        self.plan = plan;
    }

    pub(crate) fn start(plan: Arc<Plan>, outlet: Outlet) -> Result<Self, RunError> {
        let schema = &plan.columns.schema;
        let way = match outlet {
            Outlet::Recorder(recorder) => RecordQueue::start(recorder, schema.clone())
                .map(Way::Queue)
                .map_err(|error| RunError::record(error.to_string(), None))?,
            Outlet::Ring(ring) => Way::Ring(ring),
        };
        let sources = &plan.columns.sources;
        let owner = |source: &ColumnSource| match source {
            ColumnSource::Row { participant, .. } => Some(*participant),
            ColumnSource::Constant(_) | ColumnSource::Open { .. } | ColumnSource::Line(_) => None,
        };
        let mut end = 0;
        let runs = sources.chunk_by(|a, b| owner(a) == owner(b)).map(|run| {
            end += run.len();
            (run.first().and_then(owner), end - run.len()..end)
        });
        let runs = runs.collect();
        let places: Vec<(ParticipantId, u32)> = sources.iter().filter_map(plain_place).collect();
        Ok(Rows {
            block: match &way {
                Way::Queue(queue) => queue.block(),
                Way::Ring(_) => Block::new(schema, 1),
            },
            way,
            runs,
            plain: places.len() == sources.len(),
            places,
            next: 0,
            last: SimTime::PAST,
            instants: Vec::new(),
            plan,
        })
    }

    /// Writes all rows up to the frontier that are not written yet.
    #[inline]
    pub(crate) fn emit(&mut self, world: &World) -> Result<(), RunError> {
        let frontier = world.frontier();
        match self.plan.columns.every {
            Some(grid) => {
                while self.plan.resolution.reached(frontier, grid.at(self.next)) {
                    // A row at the very end of a step takes the time of the step, to the bit.
                    let at = grid.at(self.next);
                    let at = if self.plan.resolution.same(at, frontier) {
                        frontier
                    } else {
                        at
                    };
                    self.row(world, at)?;
                    self.next += 1;
                }
                Ok(())
            }
            None if self.plan.single_rate => self.row(world, frontier),
            None => self.union_of_points(world, frontier),
        }
    }

    fn union_of_points(&mut self, world: &World, frontier: SimTime) -> Result<(), RunError> {
        let mut instants = std::mem::take(&mut self.instants);
        instants.clear();
        // Where one leads, its points count.
        let seats = match self.plan.needs.leader {
            Some(leader) => leader.index()..leader.index() + 1,
            None => 0..self.plan.seats.len(),
        };
        for index in seats {
            let history = world.history(ParticipantId(index as u32));
            let times = (0..history.len()).map(|i| history.time(i));
            instants
                .extend(times.filter(|t| *t > self.last && *t <= frontier && *t >= self.plan.window.start));
        }
        instants.sort_unstable_by(|a, b| a.seconds().total_cmp(&b.seconds()));
        let resolution = self.plan.resolution;
        instants.dedup_by(|b, a| resolution.same(*a, *b));
        for &instant in &instants {
            if resolution.before(self.last, instant) {
                self.row(world, instant)?;
            }
        }
        self.instants = instants;
        Ok(())
    }

    /// Writes the row of one instant.
    #[inline]
    fn row(&mut self, world: &World, at: SimTime) -> Result<(), RunError> {
        self.last = at;
        if let Way::Ring(ring) = &mut self.way
            && self.plain
        {
            let written = plain_row(ring, world, &self.places, at);
            return written.map_err(|error| RunError::record(error.to_string(), Some(at)));
        }
        self.block.times.push(at.seconds());
        if self.plain {
            for (column, (owner, place)) in self.block.columns.iter_mut().zip(&self.places) {
                let ColumnData::Reals(values) = column else {
                    continue;
                };
                values.push(plain_value(world, *owner, *place, at));
            }
        } else {
            self.mixed_row(world, at);
        }
        let sent = match &mut self.way {
            Way::Queue(queue) if self.block.rows() >= queue.rows_per_block() => {
                let next = queue.block();
                queue.send(std::mem::replace(&mut self.block, next))
            }
            Way::Queue(_) => Ok(()),
            Way::Ring(ring) => {
                let written = ring.row(&self.block);
                self.block.clear();
                written
            }
        };
        sent.map_err(|error| RunError::record(error.to_string(), Some(at)))
    }

    /// A row with columns of any kind.
    fn mixed_row(&mut self, world: &World, at: SimTime) {
        for (owner, range) in &self.runs {
            let columns = &mut self.block.columns[range.clone()];
            let sources = &self.plan.columns.sources[range.clone()];
            match owner.map(|participant| (participant, point(world, participant, at))) {
                Some((_, Some(row))) => copy_row(row, sources, columns),
                Some((participant, None)) => interpolate(world, participant, at, sources, columns),
                None => copy_others(world, at, sources, columns),
            }
        }
    }

    /// Sees to it that all rows so far outlive this process, as far as the recorder can do that.
    pub(crate) fn secure(&mut self) -> Result<(), RunError> {
        let secured = match &mut self.way {
            Way::Ring(ring) => {
                ring.secure();
                Ok(())
            }
            Way::Queue(queue) => {
                let next = queue.block();
                let block = std::mem::replace(&mut self.block, next);
                let sent = if block.rows() > 0 {
                    queue.send(block)
                } else {
                    Ok(())
                };
                sent.and_then(|()| queue.secure())
            }
        };
        secured.map_err(|error| RunError::record(error.to_string(), Some(self.last)))
    }

    /// The instant of the last row.
    pub(crate) fn last(&self) -> SimTime {
        self.last
    }

    /// Goes on behind `last`, the last row of a run that came as far as the frontier. The rows before are a result even if
    /// none follows.
    pub(crate) fn resume(&mut self, last: SimTime, frontier: SimTime) -> Result<(), RunError> {
        self.last = last;
        if let Some(grid) = self.plan.columns.every {
            self.next = grid.count_to(frontier, self.plan.resolution) + 1;
        }
        match &mut self.way {
            Way::Ring(_) => Ok(()),
            Way::Queue(queue) => {
                let wanted = queue.want();
                wanted.map_err(|error| RunError::record(error.to_string(), Some(last)))
            }
        }
    }

    /// Sends the last rows and waits for the recorder.
    pub(crate) fn finish(self) -> Result<(), RunError> {
        match self.way {
            Way::Queue(queue) => queue
                .finish(self.block)
                .map_err(|error| RunError::record(error.to_string(), Some(self.last))),
            // Whoever takes the rows sees the end of the run by itself.
            Way::Ring(_) => Ok(()),
        }
    }
}

/// Where a column comes from that is a continuous real and goes out as it is.
fn plain_place(source: &ColumnSource) -> Option<(ParticipantId, u32)> {
    match source {
        ColumnSource::Row {
            participant,
            plane: Plane::Reals,
            index,
            conversion: Conversion::NONE,
            held: false,
            ..
        } => Some((*participant, *index)),
        _ => None,
    }
}

/// A row of plain columns, straight into the ring.
#[inline]
fn plain_row(
    ring: &mut RowWriter,
    world: &World,
    places: &[(ParticipantId, u32)],
    at: SimTime,
) -> Result<(), RecordError> {
    let values = places
        .iter()
        .map(|(owner, place)| plain_value(world, *owner, *place, at));
    let row = std::iter::once(at.seconds()).chain(values);
    ring.words(1 + places.len(), row.map(f64::to_bits))
}

/// A continuous real that goes out as it is.
#[inline(always)]
fn plain_value(world: &World, owner: ParticipantId, place: u32, at: SimTime) -> f64 {
    let (time, reals) = world.history(owner).latest_point();
    match time == at {
        true => reals[place as usize],
        false => value_at(world, owner, place as usize, at),
    }
}

/// A continuous real of a participant that has no newest point at that instant.
#[cold]
fn value_at(world: &World, participant: ParticipantId, place: usize, at: SimTime) -> f64 {
    match point(world, participant, at) {
        Some(row) => row.reals[place],
        None => row_value(world.plan(), world.history(participant), place, at, false),
    }
}

/// The row that a participant published at that instant, or kept from the inside of a step.
#[inline]
fn point(world: &World, participant: ParticipantId, at: SimTime) -> Option<PlanesRef<'_>> {
    let resolution = world.plan().resolution;
    let history = world.history(participant);
    let index = history.index_at(resolution.just_after(at));
    if resolution.same(history.time(index), at) {
        return Some(history.row(index));
    }
    let samples = world.samples(participant)?;
    if samples.is_empty() {
        return None;
    }
    let index = samples.index_at(resolution.just_after(at));
    resolution
        .same(samples.time(index), at)
        .then(|| samples.row(index))
}

#[inline]
fn copy_row(row: PlanesRef<'_>, sources: &[ColumnSource], columns: &mut [ColumnData]) {
    for (source, column) in sources.iter().zip(columns) {
        let ColumnSource::Row {
            index,
            conversion,
            mapping,
            ..
        } = source
        else {
            continue;
        };
        let index = *index as usize;
        match column {
            ColumnData::Reals(values) => {
                let value = row.reals[index];
                // Without a conversion the bits stay as they are, the sign of a zero too.
                let plain = conversion.factor == 1.0 && conversion.offset == 0.0;
                values.push(if plain { value } else { conversion.apply(value) });
            }
            ColumnData::Integers(values) => values.push(mapping.apply(row.integers[index])),
            ColumnData::Booleans(values) => values.push(mapping.apply_boolean(row.booleans[index])),
            ColumnData::Bytes(values) => values.push(&row.bytes[index]),
        }
    }
}

/// The values of a participant that has no point at that instant: continuous ones between its points, all
/// others held but clocks, which tick at points only.
#[cold]
fn interpolate(
    world: &World,
    participant: ParticipantId,
    at: SimTime,
    sources: &[ColumnSource],
    columns: &mut [ColumnData],
) {
    let history = world.history(participant);
    let row = history.row(history.index_at(at));
    for (source, column) in sources.iter().zip(columns) {
        let ColumnSource::Row {
            plane,
            index,
            conversion,
            held,
            ..
        } = source
        else {
            continue;
        };
        match (plane, column) {
            (Plane::Reals, ColumnData::Reals(values)) => {
                let value = row_value(world.plan(), history, *index as usize, at, *held);
                values.push(conversion.apply(value));
            }
            (Plane::Booleans, ColumnData::Booleans(values)) if !held => values.push(false),
            (_, column) => copy_row(row, std::slice::from_ref(source), std::slice::from_mut(column)),
        }
    }
}

/// Columns that are nobody's: constants, and what lines do.
fn copy_others(world: &World, at: SimTime, sources: &[ColumnSource], columns: &mut [ColumnData]) {
    for (source, column) in sources.iter().zip(columns) {
        if let (ColumnSource::Line(quantity), ColumnData::Reals(values)) = (source, &mut *column) {
            values.push(world.line_value(*quantity, at));
        }
        let value = match source {
            ColumnSource::Constant(value) => value,
            ColumnSource::Open {
                participant, index, ..
            } => {
                copy_open(world, *participant, *index, at, column);
                continue;
            }
            ColumnSource::Row { .. } | ColumnSource::Line(_) => continue,
        };
        match (value, column) {
            (Value::Reals(v), ColumnData::Reals(c)) => c.extend(v),
            (Value::Integers(v), ColumnData::Integers(c)) => c.extend(v),
            (Value::Booleans(v), ColumnData::Booleans(c)) => c.extend(v),
            (Value::Strings(v), ColumnData::Bytes(c)) => push_all(c, v.iter().map(|s| s.as_bytes())),
            (Value::Binaries(v), ColumnData::Bytes(c)) => push_all(c, v.iter().map(Vec::as_slice)),
            _ => {}
        }
    }
}

/// An input that nothing but the engine drives.
fn copy_open(world: &World, participant: ParticipantId, index: u32, at: SimTime, column: &mut ColumnData) {
    let values = world.open_values(participant);
    let place = index as usize;
    match column {
        ColumnData::Reals(c) => c.push(world.open_real(participant, index, at)),
        ColumnData::Integers(c) => c.push(values.integers[place]),
        ColumnData::Booleans(c) => c.push(values.booleans[place]),
        ColumnData::Bytes(c) => c.push(&values.bytes[place]),
    }
}

fn push_all<'a>(column: &mut BytesColumn, values: impl Iterator<Item = &'a [u8]>) {
    values.for_each(|value| column.push(value));
}
