//! What a run has noticed goes on with it.

use super::{Damage, Reader, Resumable, Writer};
use crate::monitor::{LoopAccount, Monitor, Warning, WarningKind};

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
    }

    fn resume(&mut self, reader: &mut Reader<'_>) -> Result<(), Damage> {
        const WARNINGS: &str = "warnings";
        const LOOPS: &str = "accounts of loops";
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
        *self = Monitor::of(warnings, loops);
        Ok(())
    }
}
