//! KLU of SuiteSparse, where it is installed.

#![allow(unsafe_code, reason = "a C library, called as its header says")]

use super::{Contender, Matrix};
use std::ffi::{c_int, c_void};

/// Its settings and statistics; the header's structure has less than half of this.
type Common = [u64; 64];
type Indices = *mut c_int;
type Analyze = unsafe extern "C" fn(c_int, Indices, Indices, *mut Common) -> *mut c_void;
type Factor = unsafe extern "C" fn(Indices, Indices, *mut f64, *mut c_void, *mut Common) -> *mut c_void;
type Refactor =
    unsafe extern "C" fn(Indices, Indices, *mut f64, *mut c_void, *mut c_void, *mut Common) -> c_int;
type Solve = unsafe extern "C" fn(*mut c_void, *mut c_void, c_int, c_int, *mut f64, *mut Common) -> c_int;
type Free = unsafe extern "C" fn(*mut *mut c_void, *mut Common) -> c_int;

pub(crate) struct Library {
    defaults: unsafe extern "C" fn(*mut Common) -> c_int,
    analyze: Analyze,
    factor: Factor,
    refactor: Refactor,
    solve: Solve,
    free_numeric: Free,
    free_symbolic: Free,
    _library: libloading::Library,
}

impl Library {
    pub(crate) fn load() -> Option<Self> {
        // SAFETY: the types are those of klu.h, and the library stays loaded as long as its functions.
        unsafe {
            let library = libloading::Library::new("libklu.so.1")
                .or_else(|_| libloading::Library::new("libklu.so"))
                .ok()?;
            Some(Library {
                defaults: *library.get(b"klu_defaults").ok()?,
                analyze: *library.get(b"klu_analyze").ok()?,
                factor: *library.get(b"klu_factor").ok()?,
                refactor: *library.get(b"klu_refactor").ok()?,
                solve: *library.get(b"klu_solve").ok()?,
                free_numeric: *library.get(b"klu_free_numeric").ok()?,
                free_symbolic: *library.get(b"klu_free_symbolic").ok()?,
                _library: library,
            })
        }
    }
}

/// A matrix by columns, analysed.
pub(crate) struct Klu<'a> {
    library: &'a Library,
    common: Box<Common>,
    starts: Vec<c_int>,
    rows: Vec<c_int>,
    values: Vec<f64>,
    symbolic: *mut c_void,
    numeric: *mut c_void,
    /// With the pivots of the first factorisation, or each time with new ones?
    again: bool,
}

impl<'a> Klu<'a> {
    pub(crate) fn new(library: &'a Library, matrix: &Matrix, again: bool) -> Self {
        let full = matrix.full();
        let mut starts = vec![0; matrix.size + 1];
        for &(_, column, _) in &full {
            starts[column + 1] += 1;
        }
        for k in 0..matrix.size {
            starts[k + 1] += starts[k];
        }
        let mut klu = Klu {
            library,
            common: Box::new([0; 64]),
            starts,
            rows: full.iter().map(|&(row, _, _)| row as c_int).collect(),
            values: full.iter().map(|&(_, _, value)| value).collect(),
            symbolic: std::ptr::null_mut(),
            numeric: std::ptr::null_mut(),
            again,
        };
        let (starts, rows) = (klu.starts.as_mut_ptr(), klu.rows.as_mut_ptr());
        // SAFETY: columns and rows are complete, sorted and as many as said.
        unsafe {
            (library.defaults)(&mut *klu.common);
            klu.symbolic = (library.analyze)(matrix.size as c_int, starts, rows, &mut *klu.common);
        }
        klu.factor();
        klu
    }

    fn factor(&mut self) {
        let (starts, rows) = (self.starts.as_mut_ptr(), self.rows.as_mut_ptr());
        let values = self.values.as_mut_ptr();
        // SAFETY: the matrix is the one that was analysed.
        unsafe {
            self.numeric = (self.library.factor)(starts, rows, values, self.symbolic, &mut *self.common);
        }
        assert!(!self.numeric.is_null(), "KLU found no factors");
    }

    fn free(&mut self) {
        // SAFETY: the factors are KLU's own; it sets the pointer to null.
        unsafe {
            (self.library.free_numeric)(&mut self.numeric, &mut *self.common);
        }
    }
}

impl Contender for Klu<'_> {
    fn run(&mut self, x: &mut [f64]) {
        if self.again {
            let (starts, rows) = (self.starts.as_mut_ptr(), self.rows.as_mut_ptr());
            let values = self.values.as_mut_ptr();
            // SAFETY: the matrix is the one that was analysed and factorised.
            let done = unsafe {
                (self.library.refactor)(
                    starts,
                    rows,
                    values,
                    self.symbolic,
                    self.numeric,
                    &mut *self.common,
                )
            };
            assert!(done != 0, "KLU could not do it again");
        } else {
            self.free();
            self.factor();
        }
        let size = x.len() as c_int;
        // SAFETY: `x` has as many entries as the matrix rows.
        unsafe {
            (self.library.solve)(
                self.symbolic,
                self.numeric,
                size,
                1,
                x.as_mut_ptr(),
                &mut *self.common,
            );
        }
    }
}

impl Drop for Klu<'_> {
    fn drop(&mut self) {
        self.free();
        // SAFETY: analysed by KLU, and freed once.
        unsafe {
            (self.library.free_symbolic)(&mut self.symbolic, &mut *self.common);
        }
    }
}
