//! Constraints: everything that joints and rigid bodies ask for is a sum of products of combinations.

use super::combination::Combination;
use super::motion::Number;

/// `Σ weight(t) a·b = target(t)`
#[derive(Debug, Clone)]
pub(super) struct Constraint<const D: usize> {
    form: Form<D>,
    target: Number,
    /// The coordinates it depends on, ascending: its row of the Jacobian.
    columns: Vec<usize>,
    /// For each number that the products hand out its place in the row.
    places: Vec<u32>,
}

#[derive(Debug, Clone)]
enum Form<const D: usize> {
    /// `a·a`: the most frequent by far.
    Square(Combination<D>),
    Products(Vec<(Number, Combination<D>, Combination<D>)>),
}

pub(super) fn dot<const D: usize>(a: [f64; D], b: [f64; D]) -> f64 {
    let mut sum = 0.0;
    for i in 0..D {
        sum += a[i] * b[i];
    }
    sum
}

fn times<const D: usize>(factor: f64, a: [f64; D]) -> [f64; D] {
    a.map(|part| factor * part)
}

impl<const D: usize> Constraint<D> {
    /// `a·a = target`
    pub(super) fn square(a: Combination<D>, target: Number) -> Self {
        Self::new(Form::Square(a), target)
    }

    /// `a·b = target`
    pub(super) fn dot(a: Combination<D>, b: Combination<D>, target: Number) -> Self {
        Self::new(Form::Products(vec![(Number::Constant(1.0), a, b)]), target)
    }

    /// `Σ weight a·b = 0`
    pub(super) fn sum(products: Vec<(Number, Combination<D>, Combination<D>)>) -> Self {
        Self::new(Form::Products(products), Number::Constant(0.0))
    }

    /// One part of a vector is zero, times a length, as all other constraints are squares of lengths.
    pub(super) fn part(a: Combination<D>, part: usize, length: f64) -> Self {
        let mut direction = [0.0; D];
        direction[part] = length;
        Self::dot(a, Combination::constant(direction), Number::Constant(0.0))
    }

    fn new(form: Form<D>, target: Number) -> Self {
        let mut constraint = Constraint {
            form,
            target,
            columns: Vec::new(),
            places: Vec::new(),
        };
        let mut handed_out = Vec::new();
        let highest = constraint.reach();
        constraint.hand_out(0.0, &vec![0.0; highest], |at, _| handed_out.push(at));
        constraint.columns.clone_from(&handed_out);
        constraint.columns.sort_unstable();
        constraint.columns.dedup();
        let place = |at: &usize| constraint.columns.binary_search(at).unwrap_or(0) as u32;
        constraint.places = handed_out.iter().map(place).collect();
        constraint
    }

    /// Beyond the last coordinate that it depends on.
    fn reach(&self) -> usize {
        let furthest = |a: &Combination<D>| a.coordinates().map(|at| at + 1).max().unwrap_or(0);
        match &self.form {
            Form::Square(a) => furthest(a),
            Form::Products(products) => products
                .iter()
                .map(|(_, a, b)| furthest(a).max(furthest(b)))
                .max()
                .unwrap_or(0),
        }
    }

    pub(super) fn columns(&self) -> &[usize] {
        &self.columns
    }

    /// Does it depend on nothing that moves?
    pub(super) fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// `since` is the time since the start of the run.
    #[inline]
    pub(super) fn value(&self, since: f64, q: &[f64]) -> f64 {
        let target = self.target.jet(since).value;
        match &self.form {
            Form::Square(a) => {
                let a = a.value(q);
                dot(a, a) - target
            }
            Form::Products(products) => {
                let product = |(weight, a, b): &(Number, Combination<D>, Combination<D>)| {
                    weight.jet(since).value * dot(a.value(q), b.value(q))
                };
                products.iter().map(product).sum::<f64>() - target
            }
        }
    }

    /// Writes its row of the Jacobian.
    #[inline]
    pub(super) fn gradient(&self, since: f64, q: &[f64], row: &mut [f64]) {
        row.fill(0.0);
        let mut places = self.places.iter();
        self.hand_out(since, q, |_, part| {
            if let Some(&place) = places.next() {
                row[place as usize] += part;
            }
        });
    }

    #[inline]
    fn hand_out(&self, since: f64, q: &[f64], mut take: impl FnMut(usize, f64)) {
        match &self.form {
            Form::Square(a) => a.pull(times(2.0, a.value(q)), take),
            Form::Products(products) => {
                for (weight, a, b) in products {
                    let weight = weight.jet(since).value;
                    a.pull(times(weight, b.value(q)), &mut take);
                    b.pull(times(weight, a.value(q)), &mut take);
                }
            }
        }
    }

    /// How fast it would be violated if nothing moved.
    pub(super) fn drive(&self, since: f64, q: &[f64]) -> f64 {
        let target = self.target.jet(since).rate;
        match &self.form {
            Form::Square(_) => -target,
            Form::Products(products) => {
                let moving = products.iter().filter(|(weight, _, _)| !weight.is_constant());
                let rate = moving.map(|(weight, a, b)| weight.jet(since).rate * dot(a.value(q), b.value(q)));
                rate.sum::<f64>() - target
            }
        }
    }

    /// Its second derivative in time without accelerations.
    pub(super) fn curvature(&self, since: f64, q: &[f64], v: &[f64]) -> f64 {
        let target = self.target.jet(since).bend;
        match &self.form {
            Form::Square(a) => {
                let rate = a.rate(v);
                2.0 * dot(rate, rate) - target
            }
            Form::Products(products) => {
                let mut sum = -target;
                for (weight, a, b) in products {
                    let weight = weight.jet(since);
                    let (a_rate, b_rate) = (a.rate(v), b.rate(v));
                    sum += 2.0 * weight.value * dot(a_rate, b_rate);
                    if weight.rate != 0.0 || weight.bend != 0.0 {
                        let (a, b) = (a.value(q), b.value(q));
                        sum +=
                            weight.bend * dot(a, b) + 2.0 * weight.rate * (dot(a_rate, b) + dot(a, b_rate));
                    }
                }
                sum
            }
        }
    }
}
