//! An evaluation by a function outside the core, such as a Python function, with a cache of its values.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::value::SCORE_SCALE;

/// The largest absolute value of a position, in hundredths of a man or a seed: it is below the score of any win.
pub const MAX_FUNCTION_VALUE: i32 = 65_535 * SCORE_SCALE;

/// The maximum number of cached values, some 30 megabytes. A full cache is emptied.
const MAX_CACHED: usize = 1 << 20;

/// Returns the values of positions for the side to move, in hundredths of a man or a seed, or None if it fails.
type Evaluate<P> = dyn Fn(Vec<P>) -> Option<Vec<i32>> + Send + Sync;

/// The values of positions by hash key, which all searches with the same function and rules can share.
#[derive(Default)]
pub struct ValueCache(Mutex<HashMap<u64, i32>>);

/// An evaluation of positions of the type `P` by a function. The search calls it once for each position, as long as the
/// cache is not full.
pub struct FunctionEvaluation<P> {
    evaluate: Box<Evaluate<P>>,
    /// Whether the function is faster with many positions at once.
    is_batch: bool,
    cache: Arc<ValueCache>,
}

impl<P> FunctionEvaluation<P> {
    /// Create an evaluation. The function gets one position at a time unless `is_batch` is true. If it returns None,
    /// which means that it has failed, the search stops.
    pub fn new(is_batch: bool, cache: Arc<ValueCache>, evaluate: Box<Evaluate<P>>) -> Self {
        FunctionEvaluation { evaluate, is_batch, cache }
    }

    /// Return whether the function is faster with many positions at once.
    pub(crate) fn is_batch(&self) -> bool {
        self.is_batch
    }

    /// Return the value of the position with this hash key, or None if the function has failed.
    pub fn value(&self, key: u64, position: impl FnOnce() -> P) -> Option<i32> {
        let cached = self.cache.values().get(&key).copied();
        if cached.is_some() {
            return cached;
        }
        // The cache is not locked during the call: other threads use it, and the function may wait for them.
        let value = *(self.evaluate)(vec![position()])?.first()?;
        self.cache.store(&[key], &[value]);
        Some(value)
    }

    /// Evaluate positions, given by their hash keys, in one call, and cache their values. Return None if the function has
    /// failed.
    pub(crate) fn prepare(&self, keys: impl Iterator<Item = u64>, position: impl Fn(usize) -> P) -> Option<()> {
        let mut missing: Vec<(u64, usize)> = Vec::new();
        {
            let cache = self.cache.values();
            for (index, key) in keys.enumerate() {
                if !cache.contains_key(&key) && missing.iter().all(|(other, _)| *other != key) {
                    missing.push((key, index));
                }
            }
        }
        if !missing.is_empty() {
            let values = (self.evaluate)(missing.iter().map(|(_, index)| position(*index)).collect())?;
            let keys: Vec<_> = missing.iter().map(|(key, _)| *key).collect();
            self.cache.store(&keys, &values);
        }
        Some(())
    }
}

impl ValueCache {
    /// Remove all values.
    pub fn clear(&self) {
        self.values().clear();
    }

    fn store(&self, keys: &[u64], values: &[i32]) {
        let mut cache = self.values();
        if cache.len() + keys.len() > MAX_CACHED {
            cache.clear();
        }
        cache.extend(keys.iter().copied().zip(values.iter().copied()));
    }

    fn values(&self) -> MutexGuard<'_, HashMap<u64, i32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::FunctionEvaluation;
    use std::sync::{Arc, Mutex};

    type Calls = Arc<Mutex<Vec<Vec<i32>>>>;

    /// Return an evaluation of numbers by their negation, which fails for 13, and the batches that it has evaluated.
    fn negation() -> (FunctionEvaluation<i32>, Calls) {
        let calls = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&calls);
        let evaluate = move |numbers: Vec<i32>| {
            log.lock().unwrap().push(numbers.clone());
            (!numbers.contains(&13)).then(|| numbers.iter().map(|number| -number).collect())
        };
        (FunctionEvaluation::new(true, Arc::default(), Box::new(evaluate)), calls)
    }

    #[test]
    fn each_position_is_evaluated_once() {
        let (evaluation, calls) = negation();
        assert_eq!(evaluation.prepare([3, 4, 3].into_iter(), |index| [3, 4, 3][index]), Some(()));
        assert_eq!(evaluation.prepare([4, 5].into_iter(), |index| [4, 5][index]), Some(()));
        assert_eq!([3, 4, 5, 6].map(|number| evaluation.value(number, || number as i32)), [-3, -4, -5, -6].map(Some));
        assert_eq!(*calls.lock().unwrap(), [vec![3, 4], vec![5], vec![6]]);
        evaluation.cache.clear();
        assert_eq!(evaluation.value(3, || 3), Some(-3));
        assert_eq!(calls.lock().unwrap().len(), 4);
    }

    #[test]
    fn a_failure_stores_no_value() {
        let (evaluation, calls) = negation();
        assert_eq!(evaluation.prepare([3, 13].into_iter(), |index| [3, 13][index]), None);
        assert_eq!((evaluation.value(13, || 13), evaluation.value(3, || 3)), (None, Some(-3)));
        assert_eq!(calls.lock().unwrap().len(), 3);
    }
}
