//! What a result was measured on.

use serde::Serialize;

/// The size of a machine.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Machine {
    /// Processors this program may use.
    pub cores: usize,
    /// Memory in GB (10⁹ bytes), where the system says so.
    pub memory_gb: Option<f64>,
}

impl Machine {
    /// This machine.
    pub fn here() -> Machine {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        // Only Linux has this file; elsewhere the amount stays unknown.
        let memory_gb = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| total_gb(&text));
        Machine { cores, memory_gb }
    }
}

impl std::fmt::Display for Machine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", super::text::count(self.cores, "core"))?;
        match self.memory_gb {
            Some(memory) => write!(f, ", {memory:.1} GB of memory"),
            None => Ok(()),
        }
    }
}

fn total_gb(meminfo: &str) -> Option<f64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some((kibibytes * 1024.0 / 1e8).round() / 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_where_it_is_told() {
        assert_eq!(total_gb("MemFree: 1 kB\nMemTotal:        8000000 kB\n"), Some(8.2));
        assert_eq!(total_gb("MemTotal: lots\n"), None);
        assert_eq!(total_gb(""), None);
    }

    #[test]
    fn machines_print_as_words() {
        assert_eq!(Machine { cores: 2, memory_gb: Some(8.2) }.to_string(), "2 cores, 8.2 GB of memory");
        assert_eq!(Machine { cores: 1, memory_gb: None }.to_string(), "1 core");
    }
}
