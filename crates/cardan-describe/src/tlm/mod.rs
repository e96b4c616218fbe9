//! Reads meta-models of TLM co-simulations: which tools take part, where they meet, and the lines between them.
//!
//! ```
//! use cardan_describe::{Reporter, Source, tlm};
//!
//! let text = r#"<Model Name="pair">
//!   <SubModels>
//!     <SubModel Name="a" StartCommand="none" ModelFile="a.mo"><InterfacePoint Name="t" Dimensions="1"/></SubModel>
//!     <SubModel Name="b" StartCommand="none" ModelFile="b.mo"><InterfacePoint Name="t" Dimensions="1"/></SubModel>
//!   </SubModels>
//!   <Connections><Connection From="a.t" To="b.t" Delay="1e-3" Zf="1e4"/></Connections>
//!   <SimulationParams StartTime="0" StopTime="1"/>
//! </Model>"#;
//! let mut reporter = Reporter::new();
//! let model = tlm::parse(Source::new("pair.xml", text), tlm::Extent::Whole, &mut reporter);
//! let model = model.ok_or("no model")?;
//! assert!(!reporter.has_errors());
//! assert_eq!(model.interface_name(1), "b.t");
//! assert_eq!(model.partner(0), Some(1));
//! assert_eq!(model.max_step(0), 0.5e-3);
//! # Ok::<(), &str>(())
//! ```
//!
//! | file | holds |
//! | --- | --- |
//! | `model.rs` | what was read, in plain data |
//! | `kinds.rs` | dimensions, causality, domain, and how they are spelled |
//! | `sub_model.rs`, `connection.rs`, `simulation.rs` | one element a file |
//! | `attributes.rs` | attributes: numbers, triples, and names that were meant to be others |

mod attributes;
mod connection;
mod kinds;
mod model;
mod simulation;
mod sub_model;

pub use connection::warn_between_processes;
pub use kinds::{Causality, Dimensions, Domain};
pub use model::{
    Connection, InterfacePoint, MetaModel, OwnSettings, Parameter, Simulation, StartCommand, SubModel,
};
pub use simulation::DEFAULT_PORT;

use crate::diagnostic::{Reporter, Source};
use crate::xml::{self, Element};
use std::path::Path;

/// How much of a meta-model counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// All of it.
    Whole,
    /// The sub-models with their parameters, and times: interface points are about to be asked of the tools themselves.
    SubModels,
}

/// Reads a meta-model. None if there was nothing to read; what is wrong inside is reported, and the rest comes back.
pub fn load(path: &Path, extent: Extent, reporter: &mut Reporter) -> Option<MetaModel> {
    match xml::text_of(path) {
        Ok(text) => parse(Source::new(path, text), extent, reporter),
        Err(error) => {
            reporter
                .file_error(path, format!("the meta-model cannot be read: {error}"))
                .advice("name the XML file of the meta-model");
            None
        }
    }
}

/// Reads a meta-model from a text.
pub fn parse(source: Source, extent: Extent, reporter: &mut Reporter) -> Option<MetaModel> {
    let stem = source.path().file_stem().unwrap_or_default();
    let stem = stem.to_string_lossy().into_owned();
    xml::read(source, reporter, |root, reporter| {
        let name = root.attribute("Name").map(|name| name.value.to_owned());
        let mut model = MetaModel::empty(name.unwrap_or(stem), root.span());
        sub_models(root, extent, &mut model, reporter);
        if extent == Extent::Whole {
            connection::read_all(root, &mut model, reporter);
        }
        simulation::read(root, &mut model, reporter);
        model
    })
}

fn sub_models(root: Element<'_>, extent: Extent, model: &mut MetaModel, reporter: &mut Reporter) {
    let before = reporter.error_count();
    for list in root.children_named("SubModels") {
        for element in list.children_named("SubModel") {
            sub_model::read(element, extent, model, reporter);
        }
    }
    if model.sub_models.is_empty() && reporter.error_count() == before {
        reporter
            .error(root.span(), "the meta-model has no sub-models")
            .advice("add <SubModels><SubModel Name=\"…\" StartCommand=\"…\" ModelFile=\"…\"/></SubModels>; is this a TLM meta-model?");
    }
}
