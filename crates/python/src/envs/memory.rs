//! Arrays that the core writes and Python reads in place, through the buffer protocol.
//!
//! This is the only module of the bindings with unsafe code.

use std::cell::UnsafeCell;
use std::ffi::c_int;
use std::sync::Arc;

use pyo3::exceptions::PyMemoryError;
use pyo3::ffi;
use pyo3::prelude::*;
use tablemen_core::envs::{Batch, Outputs};

/// A number that every combination of bits represents.
trait Number: Copy {}

impl Number for u8 {}
impl Number for i8 {}
impl Number for i32 {}
impl Number for f32 {}

/// Memory that is not moved and not freed while Python has a view of it, initially zero.
struct Memory {
    /// Words, so that the memory is aligned for every `Number`.
    words: Box<[UnsafeCell<u64>]>,
    bytes: usize,
}

// SAFETY: Rust code accesses the memory only through `as_mut_slice`, whose caller makes sure that it is the only one.
#[allow(unsafe_code)]
unsafe impl Sync for Memory {}

impl Memory {
    /// Allocate memory for a number of values. Raises `MemoryError` if there is not enough.
    fn new<T: Number>(length: Option<usize>) -> PyResult<Arc<Self>> {
        let exhausted = || PyMemoryError::new_err("not enough memory for the arrays: create fewer games");
        let bytes = length.and_then(|length| length.checked_mul(size_of::<T>())).ok_or_else(exhausted)?;
        let mut words = Vec::new();
        words.try_reserve_exact(bytes.div_ceil(size_of::<u64>())).map_err(|_| exhausted())?;
        words.resize_with(bytes.div_ceil(size_of::<u64>()), || UnsafeCell::new(0));
        Ok(Arc::new(Memory { words: words.into_boxed_slice(), bytes }))
    }

    /// Return the memory as values.
    ///
    /// # Safety
    /// No other slice of the same memory exists. Python code may read the memory at the same time; the values that it
    /// reads are then undefined, as the documentation says.
    #[allow(unsafe_code, clippy::mut_from_ref)]
    unsafe fn as_mut_slice<T: Number>(&self) -> &mut [T] {
        // SAFETY: the memory has this length, is aligned and initialised, and every value of its bytes is valid.
        unsafe { std::slice::from_raw_parts_mut(self.words.as_ptr().cast_mut().cast(), self.bytes / size_of::<T>()) }
    }
}

/// An array of the core, as a writable buffer of bytes.
#[pyclass(frozen, module = "tablemen._core")]
pub struct SharedArray(Arc<Memory>);

#[pymethods]
impl SharedArray {
    #[allow(unsafe_code)]
    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        let memory = &slf.get().0;
        let (start, length) = (memory.words.as_ptr().cast_mut().cast(), memory.bytes as ffi::Py_ssize_t);
        // SAFETY: the view keeps a reference to this object, and so to the memory, which is not moved.
        match unsafe { ffi::PyBuffer_FillInfo(view, slf.as_ptr(), start, length, 0, flags) } {
            0 => Ok(()),
            _ => Err(PyErr::fetch(slf.py())),
        }
    }
}

/// The memory of the arrays that the core writes.
pub struct Arrays {
    observation: Arc<Memory>,
    final_observation: Arc<Memory>,
    mask: Arc<Memory>,
    reward: Arc<Memory>,
    terminated: Arc<Memory>,
    truncated: Arc<Memory>,
    turn: Arc<Memory>,
    mover: Arc<Memory>,
    winner: Arc<Memory>,
    plies: Arc<Memory>,
}

impl Arrays {
    /// Allocate the arrays of a batch.
    pub fn new(games: usize, batch: &dyn Batch) -> PyResult<Self> {
        let (observation, actions) =
            (games.checked_mul(batch.observation_size()), games.checked_mul(batch.action_size()));
        Ok(Arrays {
            observation: Memory::new::<u8>(observation)?,
            final_observation: Memory::new::<u8>(observation)?,
            mask: Memory::new::<u8>(actions)?,
            reward: Memory::new::<f32>(Some(games))?,
            terminated: Memory::new::<u8>(Some(games))?,
            truncated: Memory::new::<u8>(Some(games))?,
            turn: Memory::new::<i8>(Some(games))?,
            mover: Memory::new::<i8>(Some(games))?,
            winner: Memory::new::<i8>(Some(games))?,
            plies: Memory::new::<i32>(Some(games))?,
        })
    }

    /// Return the array with the name of a field of `Outputs`.
    pub fn get(&self, name: &str) -> Option<SharedArray> {
        let memory = match name {
            "observation" => &self.observation,
            "final_observation" => &self.final_observation,
            "mask" => &self.mask,
            "reward" => &self.reward,
            "terminated" => &self.terminated,
            "truncated" => &self.truncated,
            "turn" => &self.turn,
            "mover" => &self.mover,
            "winner" => &self.winner,
            "plies" => &self.plies,
            _ => return None,
        };
        Some(SharedArray(Arc::clone(memory)))
    }

    /// Return the arrays for a call of the batch.
    #[allow(unsafe_code)]
    pub fn outputs(&mut self) -> Outputs<'_> {
        // SAFETY: the slices are of different memory, only this object makes slices of it, and these live no longer than
        // the unique reference to this object.
        unsafe {
            Outputs {
                observation: self.observation.as_mut_slice(),
                final_observation: self.final_observation.as_mut_slice(),
                mask: self.mask.as_mut_slice(),
                reward: self.reward.as_mut_slice(),
                terminated: self.terminated.as_mut_slice(),
                truncated: self.truncated.as_mut_slice(),
                turn: self.turn.as_mut_slice(),
                mover: self.mover.as_mut_slice(),
                winner: self.winner.as_mut_slice(),
                plies: self.plies.as_mut_slice(),
            }
        }
    }
}
