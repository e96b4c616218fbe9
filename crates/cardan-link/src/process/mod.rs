//! A part of the program in a process of its own, and watching over it.

mod child;
mod descendants;
mod descriptors;
mod end;
mod fork;
mod group;
mod groups;
mod stdio;

pub use child::Child;
pub(crate) use descendants::end_children;
pub use descendants::{bury_orphans, memory_in_use, take_in_orphans};
pub(crate) use descriptors::{Descriptor, Held, descriptors, seek, shared_mappings, threads};
pub use end::End;
pub(crate) use end::meaning;
pub(crate) use fork::{fork, leave, leave_by, let_libraries_use_one_thread};
pub(crate) use group::group_lives;
pub use groups::Groups;
pub use stdio::output_to_errors;
