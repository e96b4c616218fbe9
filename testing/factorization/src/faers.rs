//! The factorisations of faer, on one thread.

use super::{Contender, Matrix};
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::ldlt::factor::LdltRegularization;
use faer::prelude::{MatMut, Solve};
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::linalg::solvers::{Lu, SymbolicLu};
use faer::sparse::{SparseColMat, Triplet};
use faer::{Conj, Par, Side};

fn sparse(size: usize, entries: &[(usize, usize, f64)]) -> SparseColMat<usize, f64> {
    let triplets: Vec<_> = entries
        .iter()
        .map(|&(a, b, value)| Triplet::new(a, b, value))
        .collect();
    SparseColMat::try_new_from_triplets(size, size, &triplets).expect("a matrix")
}

/// `L D Lᵀ`, simplicial or supernodal as faer chooses, with room made once.
pub(crate) struct Cholesky {
    matrix: SparseColMat<usize, f64>,
    symbolic: SymbolicCholesky<usize>,
    values: Vec<f64>,
    room: MemBuffer,
}

impl Cholesky {
    pub(crate) fn new(matrix: &Matrix) -> Self {
        let matrix = sparse(matrix.size, &matrix.entries);
        let symbolic = factorize_symbolic_cholesky(
            matrix.symbolic(),
            Side::Lower,
            SymmetricOrdering::Amd,
            CholeskySymbolicParams::default(),
        )
        .expect("analysed");
        let factor = symbolic.factorize_numeric_ldlt_scratch::<f64>(Par::Seq, Default::default());
        let solve = symbolic.solve_in_place_scratch::<f64>(1, Par::Seq);
        Cholesky {
            values: vec![0.0; symbolic.len_val()],
            room: MemBuffer::new(factor.or(solve)),
            matrix,
            symbolic,
        }
    }
}

impl Contender for Cholesky {
    fn run(&mut self, x: &mut [f64]) {
        let factors = self
            .symbolic
            .factorize_numeric_ldlt(
                &mut self.values,
                self.matrix.as_ref(),
                Side::Lower,
                LdltRegularization::default(),
                Par::Seq,
                MemStack::new(&mut self.room),
                Default::default(),
            )
            .expect("regular");
        let size = x.len();
        let x = MatMut::from_column_major_slice_mut(x, size, 1);
        factors.solve_in_place_with_conj(Conj::No, x, Par::Seq, MemStack::new(&mut self.room));
    }
}

/// LU with pivots; its numbers live in room made anew each time.
pub(crate) struct LowerUpper {
    matrix: SparseColMat<usize, f64>,
    symbolic: SymbolicLu<usize>,
}

impl LowerUpper {
    pub(crate) fn new(matrix: &Matrix) -> Self {
        faer::set_global_parallelism(Par::Seq);
        let matrix = sparse(matrix.size, &matrix.full());
        let symbolic = SymbolicLu::try_new(matrix.symbolic()).expect("analysed");
        LowerUpper { matrix, symbolic }
    }
}

impl Contender for LowerUpper {
    fn run(&mut self, x: &mut [f64]) {
        let factors =
            Lu::try_new_with_symbolic(self.symbolic.clone(), self.matrix.as_ref()).expect("regular");
        let size = x.len();
        factors.solve_in_place(MatMut::from_column_major_slice_mut(x, size, 1));
    }
}
