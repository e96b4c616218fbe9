//! What a connection does to values that are not reals.

/// Whole numbers, enumerations or truth values (0 and 1) that become others on their way. A value without an entry
/// passes unchanged.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Mapping(Vec<(i64, i64)>);

impl Mapping {
    /// Leaves every value as it is.
    pub const NONE: Mapping = Mapping(Vec::new());

    /// From pairs of a value and what it becomes; of several for one value the first counts.
    pub fn new(mut entries: Vec<(i64, i64)>) -> Self {
        entries.sort_by_key(|(from, _)| *from);
        entries.dedup_by_key(|(from, _)| *from);
        Mapping(entries)
    }

    /// Does it leave every value as it is?
    pub fn is_none(&self) -> bool {
        self.0.is_empty()
    }

    /// The pairs, by value.
    pub fn entries(&self) -> &[(i64, i64)] {
        &self.0
    }

    /// What a whole number becomes.
    #[inline]
    pub fn apply(&self, value: i64) -> i64 {
        match self.0.binary_search_by_key(&value, |(from, _)| *from) {
            Ok(index) => self.0[index].1,
            Err(_) => value,
        }
    }

    /// What a truth value becomes.
    #[inline]
    pub fn apply_boolean(&self, value: bool) -> bool {
        if self.is_none() {
            return value;
        }
        self.apply(i64::from(value)) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::Mapping;

    #[test]
    fn values_without_an_entry_pass() {
        let mapping = Mapping::new(vec![(3, 30), (-1, 7), (3, 99)]);
        assert_eq!([-1, 3, 4].map(|value| mapping.apply(value)), [7, 30, 4]);
        let not = Mapping::new(vec![(0, 1), (1, 0)]);
        assert!(not.apply_boolean(false) && !not.apply_boolean(true));
        assert!(Mapping::NONE.apply_boolean(true));
    }
}
