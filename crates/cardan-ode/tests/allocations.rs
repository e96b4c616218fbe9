//! After a solver is built it allocates nothing: not in steps, at roots, in restarts, saves or restores.
//!
//! Each thread counts its own, because the test harness allocates in another one whenever it likes.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::error::Error;

use cardan_ode::mechanical::Mechanics;
use cardan_ode::{Equations, Memory, Method, Progress, SolverSettings, Trouble, build, build_mechanical};

#[allow(dead_code, reason = "made for other tests; only the linkage is wanted here")]
#[path = "mechanical/rods.rs"]
mod rods;

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

#[allow(
    unsafe_code,
    reason = "a global allocator cannot be written without; it only passes on to the system's"
)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promises are passed on as they are.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the pointer came from `alloc` above, that is from the system.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// A stiff, forced oscillator whose displacement and phase are watched.
struct Forced;

impl Equations for Forced {
    fn states(&self) -> usize {
        3
    }

    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Trouble> {
        dx[0] = x[1];
        dx[1] = -x[0] + (3.0 * t).sin() - x[2];
        dx[2] = 200.0 * (x[1] - x[2]);
        Ok(())
    }

    fn roots(&self) -> usize {
        2
    }

    fn root_values(&mut self, t: f64, x: &[f64], g: &mut [f64]) -> Result<(), Trouble> {
        g[0] = x[0];
        g[1] = (5.0 * t).sin();
        Ok(())
    }
}

#[test]
fn no_step_allocates() -> Result<(), Box<dyn Error>> {
    for method in Method::ALL {
        let settings = SolverSettings {
            step: method.is_fixed_step().then_some(1e-3),
            ..SolverSettings::of(method)
        };
        let mut solver = build(&settings, 3, 2)?;
        let mut memory = Memory::default();
        solver.save(&mut memory);
        let mut x = [0.0; 3];
        let mut roots = 0;
        let before = ALLOCATIONS.with(Cell::get);
        solver.restart(0.0, &[1.0, 0.0, 0.0])?;
        for k in 1..=100 {
            let limit = 0.1 * f64::from(k);
            while solver.time() < limit {
                if let Progress::Root { .. } = solver.advance(&mut Forced, limit)? {
                    roots += 1;
                    x.copy_from_slice(solver.state());
                    solver.restart(solver.time(), &x)?;
                }
                solver.interpolate(solver.previous_time(), &mut x);
            }
            match k % 3 {
                0 => solver.disturb(),
                1 => solver.save(&mut memory),
                _ => solver.restore(&memory)?,
            }
        }
        let after = ALLOCATIONS.with(Cell::get);
        assert!(roots > 10, "{method} found {roots} roots");
        assert_eq!(after - before, 0, "{method}");
    }
    Ok(())
}

/// A linkage that passes positions where its constraints lose their rank, so that steps are tried again as well.
#[test]
fn no_step_of_mechanics_allocates() -> Result<(), Box<dyn Error>> {
    let loops = 3;
    let start = rods::Rods::linkage_start(loops, 30.0);
    let paces = Method::MECHANICAL
        .into_iter()
        .flat_map(|method| [(method, Some(1e-3)), (method, None)]);
    for (method, step) in paces {
        let mut linkage = rods::Rods::linkage(loops);
        let settings = SolverSettings {
            step,
            ..SolverSettings::of(method)
        };
        let mut solver = build_mechanical(&settings, linkage.structure(), 0)?;
        let mut memory = Memory::default();
        solver.save(&mut memory);
        let mut x = start.clone();
        let before = ALLOCATIONS.with(Cell::get);
        solver.restart(0.0, &start)?;
        for k in 1..=100 {
            let limit = 3e-3 * f64::from(k);
            while solver.time() < limit {
                solver.advance(&mut linkage, limit)?;
                solver.interpolate(solver.previous_time(), &mut x);
            }
            match k % 3 {
                0 => solver.disturb(),
                1 => solver.save(&mut memory),
                _ => solver.restore(&memory)?,
            }
        }
        let after = ALLOCATIONS.with(Cell::get);
        assert_eq!(after - before, 0, "{method}");
    }
    Ok(())
}
