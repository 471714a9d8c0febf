//! Independent jobs on as many threads as there are processors.

use std::sync::Mutex;

/// Runs every job once and gives the results in the order of the jobs. `each` hears of a result as soon as it is
/// there, one at a time.
pub fn map<J: Sync, T: Send>(
    jobs: &[J],
    work: impl Fn(&J) -> T + Sync,
    each: impl FnMut(usize, &T) + Send,
) -> Vec<T> {
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(jobs.len());
    let next = Mutex::new(0..jobs.len());
    let done = Mutex::new((each, Vec::with_capacity(jobs.len())));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(index) = lock(&next).next() {
                    let result = work(&jobs[index]);
                    let (each, results) = &mut *lock(&done);
                    each(index, &result);
                    results.push((index, result));
                }
            });
        }
    });
    let (_, mut results) = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// A thread that panicked ends the whole scope, so what it left behind is never used.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_each_is_told_once() {
        let jobs: Vec<u64> = (0..50).rev().collect();
        let mut told = Vec::new();
        let results = map(&jobs, |job| job * 2, |index, _| told.push(index));
        assert_eq!(results, jobs.iter().map(|job| job * 2).collect::<Vec<_>>());
        told.sort_unstable();
        assert_eq!(told, (0..50).collect::<Vec<_>>());
        assert!(map(&[0u8; 0], |job| *job, |_, _| ()).is_empty());
    }
}
