//! Reads OSP.
