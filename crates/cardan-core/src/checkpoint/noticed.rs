//! What a run has noticed goes on with it.

use super::{Damage, Reader, Resumable, Writer};
use crate::monitor::{LoopAccount, Monitor, PredictionAccount, Warning, WarningKind};
use crate::time::SimTime;

impl Resumable for Monitor {
    fn keep(&self, writer: &mut Writer) {
        writer.length(self.warnings().len());
        for warning in self.warnings() {
            writer.text(warning.kind.name());
            writer.text(&warning.place);
            writer.time(warning.time);
            writer.text(&warning.message);
            writer.count(warning.count);
        }
        writer.length(self.loops().len());
        for account in self.loops() {
            writer.length(account.outputs.len());
            account.outputs.iter().for_each(|name| writer.text(name));
            writer.count(account.solved);
            writer.count(account.rounds);
            writer.real(account.residual);
            writer.time(account.time);
        }
        writer.length(self.predictions().len());
        for account in self.predictions() {
            writer.text(&account.name);
            writer.text(&account.component);
            writer.count(account.compared);
            writer.count(account.exceeded);
            writer.real(account.predicted);
            writer.real(account.computed);
            writer.time(account.time);
            writer.time(account.unstable.unwrap_or(SimTime::FUTURE));
        }
    }

    fn resume(&mut self, reader: &mut Reader<'_>) -> Result<(), Damage> {
        const WARNINGS: &str = "warnings";
        const LOOPS: &str = "accounts of loops";
        const PREDICTIONS: &str = "accounts of predictions";
        let warnings = reader.list(40, WARNINGS, |reader| {
            let kind = reader.text(WARNINGS)?;
            let kind = WarningKind::ALL.iter().find(|known| known.name() == kind);
            Ok(Warning {
                kind: *kind.ok_or(Damage::Nonsense { what: WARNINGS })?,
                place: reader.text(WARNINGS)?,
                time: reader.time(WARNINGS)?,
                message: reader.text(WARNINGS)?,
                count: reader.count(WARNINGS)?,
            })
        })?;
        let loops = reader.list(40, LOOPS, |reader| {
            Ok(LoopAccount {
                outputs: reader.list(8, LOOPS, |reader| reader.text(LOOPS))?,
                solved: reader.count(LOOPS)?,
                rounds: reader.count(LOOPS)?,
                residual: reader.real(LOOPS)?,
                time: reader.time(LOOPS)?,
            })
        })?;
        let predictions = reader.list(64, PREDICTIONS, |reader| {
            Ok(PredictionAccount {
                name: reader.text(PREDICTIONS)?,
                component: reader.text(PREDICTIONS)?,
                compared: reader.count(PREDICTIONS)?,
                exceeded: reader.count(PREDICTIONS)?,
                predicted: reader.real(PREDICTIONS)?,
                computed: reader.real(PREDICTIONS)?,
                time: reader.time(PREDICTIONS)?,
                unstable: Some(reader.time(PREDICTIONS)?).filter(|time| *time < SimTime::FUTURE),
            })
        })?;
        *self = Monitor::of(warnings, loops, predictions);
        Ok(())
    }
}
