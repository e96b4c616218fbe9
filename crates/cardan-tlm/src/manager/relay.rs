//! Samples on their way from one end of a line to the other.

use super::component::{Component, Route};
use super::history::History;
use super::line::{FULL, Line};
use super::outcome::Event;
use crate::wire::{Message, time_of};
use cardan_describe::tlm::MetaModel;

/// The parts of a session that samples pass through.
pub(super) struct Relay<'s> {
    pub(super) model: &'s MetaModel,
    pub(super) lines: &'s mut Vec<Option<Line>>,
    pub(super) touched: &'s mut Vec<usize>,
    pub(super) components: &'s mut Vec<Component>,
    pub(super) routes: &'s mut Vec<Route>,
    pub(super) histories: &'s mut Vec<History>,
    pub(super) tell: &'s mut dyn FnMut(&Event),
}

impl Relay<'_> {
    /// Hands a message on as it is, but for the number of the interface point. Says what is wrong with it otherwise.
    pub(super) fn hand_on(&mut self, component: usize, mut message: Message<'_>) -> Result<(), String> {
        let header = message.header;
        let id = usize::try_from(header.interface)
            .ok()
            .filter(|id| *id < self.routes.len());
        let Some(id) = id else {
            return Err(format!(
                "it sent samples for the interface point {}, which does not exist",
                header.interface
            ));
        };
        let route = &mut self.routes[id];
        if route.component != component {
            return Err(format!(
                "it sent samples for {}, which is not its own",
                self.model.interface_name(id)
            ));
        }
        let Some((to, receiver)) = route.to else {
            return Err(format!(
                "it sent samples for {}, which is not connected",
                self.model.interface_name(id)
            ));
        };
        let payload = message.payload();
        let mut size = route.sample_bytes;
        if !payload.len().is_multiple_of(size) {
            if !route.complained {
                route.complained = true;
                let name = self.model.interface_name(id);
                let text = format!(
                    "{name} sends {} bytes, but its samples have {size} according to the meta-model. They are handed on \
                     as they are; correct `Dimensions` or `Causality` of the interface point.",
                    payload.len()
                );
                tracing::debug!("{text}");
                (self.tell)(&Event::Warning(text));
            }
            size = payload.len().max(8);
        }
        if let Some(time) = time_of(header.order, payload, size).filter(|time| time.is_finite()) {
            route.time = Some(time);
            self.components[component].time = Some(time);
        }
        self.components[component].messages += 1;
        if let Some(history) = self.histories.get_mut(id) {
            history.push(message.bytes());
        }
        let Some(line) = self.components[receiver].line else {
            // The receiver has come to its end and left.
            return Ok(());
        };
        message.readdress(to);
        let Some(there) = &mut self.lines[line] else {
            return Ok(());
        };
        there.push(message.bytes());
        let is_full = there.waiting() > FULL;
        if self.touched.last() != Some(&line) {
            self.touched.push(line);
        }
        if is_full
            && let Some(own) = self.components[component].line
            && own != line
            && let Some(own) = &mut self.lines[own]
        {
            own.held_by = Some(line);
        }
        Ok(())
    }
}
