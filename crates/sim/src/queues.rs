//! A node's queues: requests wait for a core, then for the disk, first come first served.
//!
//! Both are exact for arrivals in order of time, which is how the event loop calls them: once when a request
//! reaches the node, and once when it leaves its core and needs the disk.

/// Nanoseconds since the start of the run.
pub(crate) type Nanos = u64;

#[derive(Debug, Clone)]
pub(crate) struct Station {
    /// When each core will be free.
    cores: Vec<Nanos>,
    /// When the disk will be free.
    disk: Nanos,
    /// Nanoseconds per microsecond of processor time: dilation, and what background work takes.
    pub ns_per_us: f64,
    /// Nanoseconds per disk byte: dilation, and what copying takes.
    pub ns_per_byte: f64,
}

impl Station {
    pub fn new(cores: u32) -> Station {
        Station { cores: vec![0; cores as usize], disk: 0, ns_per_us: 1000.0, ns_per_byte: 1.0 }
    }

    /// How long a request that arrives now would wait for a core.
    pub fn wait(&self, now: Nanos) -> Nanos {
        self.cores.iter().min().map_or(0, |free| free.saturating_sub(now))
    }

    /// Gives a request that arrives now the first free core. Returns when it leaves the core.
    #[inline]
    pub fn compute(&mut self, now: Nanos, cpu_us: f64) -> Nanos {
        let mut first = 0;
        for index in 1..self.cores.len() {
            if self.cores[index] < self.cores[first] {
                first = index;
            }
        }
        self.cores[first] = self.cores[first].max(now) + (cpu_us * self.ns_per_us) as Nanos;
        self.cores[first]
    }

    /// Gives a request that arrives now the disk when all before it are done. Returns when it is done.
    #[inline]
    pub fn transfer(&mut self, now: Nanos, bytes: f64) -> Nanos {
        if bytes <= 0.0 {
            return now;
        }
        self.disk = self.disk.max(now) + (bytes * self.ns_per_byte) as Nanos;
        self.disk
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_wait_for_the_first_free_core_in_order() {
        let mut station = Station::new(2);
        let done: Vec<Nanos> = (0..4).map(|_| station.compute(0, 1.0)).collect();
        assert_eq!(done, [1000, 1000, 2000, 2000]);
        assert_eq!(station.wait(500), 1500);
        assert_eq!(station.compute(10_000, 1.0), 11_000);
    }

    #[test]
    fn the_disk_serves_one_request_at_a_time() {
        let mut station = Station::new(2);
        assert_eq!(station.transfer(1000, 500.0), 1500);
        assert_eq!(station.transfer(1000, 500.0), 2000);
        assert_eq!(station.transfer(1200, 0.0), 1200);
        assert_eq!(station.transfer(9000, 500.0), 9500);
    }
}
