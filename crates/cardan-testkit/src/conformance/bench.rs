//! Where participants under test are made.

use super::bits::Trail;
use super::rig::{Binding, Rig};
use super::terms::Terms;
use super::{Make, Options};
use std::ops::Deref;

/// One claim about to be tested: its terms, and a way to make participants. The terms stand apart because they go along to
/// other threads and the way to make participants cannot.
pub(super) struct Bench<'a> {
    terms: Terms<'a>,
    make: Make<'a>,
}

impl<'a> Deref for Bench<'a> {
    type Target = Terms<'a>;

    fn deref(&self) -> &Terms<'a> {
        &self.terms
    }
}

impl<'a> Bench<'a> {
    /// Nothing if the options exempt the claim.
    pub(super) fn new(claim: &'static str, make: Make<'a>, options: &'a Options) -> Option<Self> {
        if options.exempts(claim) {
            return None;
        }
        let interface = make().interface().clone();
        for (name, _) in &options.signals {
            assert!(
                interface.find_port(name).is_some(),
                "the options drive `{name}`, which is no port"
            );
        }
        let terms = Terms {
            claim,
            options,
            interface,
        };
        Some(Bench { terms, make })
    }

    /// A fresh participant, not yet bound.
    pub(super) fn fresh(&self) -> Rig<'_> {
        Rig::new(&self.terms, (self.make)())
    }

    /// A participant bound to everything and initialised.
    pub(super) fn ready(&self) -> Rig<'_> {
        self.ready_with(&Binding::all(&self.interface))
    }

    /// A participant bound as told and initialised.
    pub(super) fn ready_with(&self, binding: &Binding) -> Rig<'_> {
        let mut rig = self.fresh();
        rig.bind(binding);
        rig.initialize();
        rig
    }

    /// A whole run of a fresh participant.
    pub(super) fn run(&self, binding: &Binding) -> Trail {
        self.ready_with(binding).run()
    }
}
