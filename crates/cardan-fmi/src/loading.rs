//! From a binary to an instance.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use cardan_core::participant::{Failure, Outcome};

use crate::description::{self, ModelDescription, Version};
use crate::ffi::{Instance, Library, Logging, Setup, Usage};
use crate::interface::FmuInterface;

/// What to load, and under which name.
pub(crate) struct Order<'a> {
    pub(crate) fmu: &'a FmuInterface,
    pub(crate) binary: &'a Path,
    pub(crate) name: &'a str,
    /// The wish of the user, if there is one.
    pub(crate) log_categories: Option<&'a [String]>,
    /// What the description says about this way of using it.
    pub(crate) abilities: &'a description::Usage,
}

impl Order<'_> {
    /// Loads the binary, unless it is, and makes an instance.
    pub(crate) fn load(&self, usage: Usage<'_>) -> Outcome<Instance> {
        let description = self.fmu.description();
        let library = Library::open(self.binary, description.version, &usage)?;
        let resources = self.fmu.fmu().resources();
        // FMI 3 wants to know whether there are any; FMI 2 always wants a place to look for them.
        let told = description.version == Version::V2 || resources.is_dir();
        let setup = Setup {
            name: self.name,
            token: &description.token,
            resources: told.then_some(resources.as_path()),
            logging: &logging(self.log_categories, description),
            once_per_process: self.abilities.once_per_process,
            usage,
        };
        let mut instance = Instance::new(library, &setup)?;
        let mut declared = description.log_categories.iter();
        instance.says_more = match setup.logging {
            Logging::Off => true,
            Logging::All => false,
            Logging::Categories(asked) => !declared.all(|(name, _)| asked.contains(name)),
        };
        Ok(instance)
    }
}

/// Instances of one binary share a number, so that they can be kept on one thread.
pub(crate) fn thread_mates(binary: &Path) -> u64 {
    let mut hasher = DefaultHasher::new();
    binary.hash(&mut hasher);
    hasher.finish()
}

/// Without a word of the user, what an FMU has to say about trouble.
fn logging(wanted: Option<&[String]>, description: &ModelDescription) -> Logging {
    match wanted {
        Some([]) => Logging::Off,
        // Some FMUs say nothing at all once they are given a list, however long it is.
        Some(wanted) if names_all(wanted, description) => Logging::All,
        Some(categories) => Logging::Categories(categories.to_vec()),
        None => {
            let known = description.log_categories.iter().map(|(name, _)| name);
            let troubles: Vec<String> = known.filter(|name| speaks_of_trouble(name)).cloned().collect();
            if troubles.is_empty() {
                Logging::All
            } else {
                Logging::Categories(troubles)
            }
        }
    }
}

fn names_all(wanted: &[String], description: &ModelDescription) -> bool {
    let mut known = description.log_categories.iter();
    known.all(|(name, _)| wanted.contains(name))
}

fn speaks_of_trouble(category: &str) -> bool {
    let category = category.to_ascii_lowercase();
    let words = ["error", "fatal", "warning", "discard"];
    words.iter().any(|word| category.contains(word))
}

/// It is asked for something that only an instance can do.
#[cold]
pub(crate) fn not_initialized() -> Failure {
    Failure::failed("the FMU is not initialised")
}
