//! From values to places, and the ticks between.

/// Values beyond this are drawn as if they were this: differences must stay finite.
const VALUE_MAX: f64 = 1e120;
/// Most ticks on an axis, whatever the data.
const TICKS_MAX: usize = 24;

/// A value that can be drawn.
pub fn drawable(value: f64) -> Option<f64> {
    value.is_finite().then(|| value.clamp(-VALUE_MAX, VALUE_MAX))
}

/// An axis: a range of values on a range of places.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axis {
    pub low: f64,
    pub high: f64,
    log: bool,
    from: i32,
    to: i32,
}

impl Axis {
    /// An axis on which all values fit. A range without extent is widened.
    pub fn new(values: impl Iterator<Item = f64>, (from, to): (i32, i32), log: bool) -> Axis {
        let (low, high) = values
            .filter_map(drawable)
            .filter(|value| !log || *value > 0.0)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        let (low, high) = match (low, high) {
            (low, high) if low > high => (if log { 0.1 } else { 0.0 }, 1.0),
            (low, high) if low == high && log => (low / 2.0, high * 2.0),
            (low, high) if low == high => (low - low.abs().max(1.0) * 0.5, high + high.abs().max(1.0) * 0.5),
            known => known,
        };
        Axis { low, high, log, from, to }
    }

    /// Widened to full steps, about `steps` of them.
    pub fn rounded(self, steps: usize) -> Axis {
        if self.log {
            return self.rounded_by_factors();
        }
        let step = nice_step((self.high - self.low) / steps.max(1) as f64);
        let down = |value: f64| (value / step + 1e-9).floor() * step;
        let up = |value: f64| (value / step - 1e-9).ceil() * step;
        Axis { low: down(self.low), high: up(self.high), ..self }
    }

    /// Widened to the next 1, 2 or 5 times a power of ten.
    fn rounded_by_factors(self) -> Axis {
        let power = |value: f64| 10f64.powf(value.log10().floor());
        let steps = |value: f64| [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power(value));
        let low = steps(self.low).into_iter().rfind(|step| *step <= self.low * 1.001).unwrap_or(self.low);
        let high = steps(self.high).into_iter().find(|step| *step >= self.high * 0.999).unwrap_or(self.high);
        Axis { low, high, ..self }
    }

    /// Where a value lies. Values off the axis lie on its ends.
    pub fn place(self, value: f64) -> i32 {
        let read = |value: f64| if self.log { value.max(f64::MIN_POSITIVE).ln() } else { value };
        let part = (read(value) - read(self.low)) / (read(self.high) - read(self.low));
        let part = if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 };
        self.from + (part * f64::from(self.to - self.from)).round() as i32
    }

    /// Ticks at full steps or, on a logarithmic axis, at powers of ten and what lies between in short ranges.
    pub fn ticks(self, steps: usize) -> Vec<f64> {
        if self.log { self.log_ticks() } else { self.linear_ticks(steps) }
    }

    fn linear_ticks(self, steps: usize) -> Vec<f64> {
        let step = nice_step((self.high - self.low) / steps.max(1) as f64);
        let first = (self.low / step - 1e-9).ceil();
        let ticks = (0..TICKS_MAX).map(|index| (first + index as f64) * step);
        ticks.take_while(|tick| *tick <= self.high + step * 1e-6).collect()
    }

    fn log_ticks(self) -> Vec<f64> {
        let (first, last) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        let decades = (last - first).max(1);
        let stride = (decades as usize).div_ceil(8);
        let factors: &[f64] = if decades <= 2 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let powers = (first..=last).step_by(stride).map(|power| 10f64.powi(power));
        let all = powers.flat_map(|power| factors.iter().map(move |factor| factor * power));
        all.filter(|tick| (self.low..=self.high).contains(tick)).take(TICKS_MAX).collect()
    }
}

/// The smallest of 1, 2, 2.5 and 5 times a power of ten that is no smaller than this.
fn nice_step(rough: f64) -> f64 {
    if !(rough.is_finite() && rough > 0.0) {
        return 1.0;
    }
    let power = 10f64.powf(rough.log10().floor());
    let factors = [1.0, 2.0, 2.5, 5.0, 10.0];
    factors.into_iter().map(|factor| factor * power).find(|step| *step >= rough * 0.999).unwrap_or(rough)
}

/// A number as short as its size allows: 0.05, 1.04, 12, 12.5k, 3M.
pub fn short(value: f64) -> String {
    format(value, |text| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text,
    })
}

/// The same with as many decimals as numbers of that size have, for numbers that are compared with each other.
pub fn even(value: f64) -> String {
    format(value, |text| text)
}

fn format(value: f64, trimmed: impl Fn(String) -> String) -> String {
    let size = value.abs();
    match size {
        0.0 => "0".to_string(),
        s if !(1e-4..1e15).contains(&s) => format!("{value:.1e}"),
        s if s < 0.1 => trimmed(format!("{value:.4}")),
        s if s < 10.0 => trimmed(format!("{value:.2}")),
        s if s < 100.0 => trimmed(format!("{value:.1}")),
        s if s < 10_000.0 => format!("{value:.0}"),
        s if s < 1e6 => format!("{}k", trimmed(format!("{:.1}", value / 1e3))),
        s if s < 1e9 => format!("{}M", trimmed(format!("{:.1}", value / 1e6))),
        s if s < 1e12 => format!("{}G", trimmed(format!("{:.1}", value / 1e9))),
        _ => format!("{}T", trimmed(format!("{:.1}", value / 1e12))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(values: &[f64], log: bool) -> Axis {
        Axis::new(values.iter().copied(), (0, 100), log)
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(axis(&[0.0, 2.18], false).rounded(5).ticks(5), [0.0, 0.5, 1.0, 1.5, 2.0, 2.5]);
        assert_eq!(axis(&[1.0, 1000.0], true).ticks(5), [1.0, 10.0, 100.0, 1000.0]);
        assert_eq!(axis(&[8.0, 64.0], true).ticks(5), [10.0, 20.0, 50.0]);
        assert_eq!(axis(&[8.0, 64.0], true).rounded(5).ticks(5), [5.0, 10.0, 20.0, 50.0, 100.0]);
    }

    #[test]
    fn odd_ranges_have_few_ticks_and_finite_places() {
        let all = [
            vec![],
            vec![f64::NAN],
            vec![0.0],
            vec![5.0],
            vec![-3.0, -3.0],
            vec![1e300, -1e300],
            vec![1e-300, 1e-299],
            vec![f64::MIN_POSITIVE, f64::MAX],
        ];
        for values in all {
            for log in [false, true] {
                let axis = axis(&values, log);
                let axis = axis.rounded(5);
                assert!(axis.ticks(5).len() <= TICKS_MAX, "{values:?}");
                for value in values.iter().copied().chain([0.0, 1.0]) {
                    assert!((0..=100).contains(&axis.place(value)), "{value} on {values:?}");
                }
            }
        }
    }

    #[test]
    fn numbers_are_short() {
        let texts: Vec<String> = [0.0, 0.05, 1.0, 1.046, 12.0, 12.34, 383.0, 12_500.0, 3e6, 1e-7, 1e20]
            .into_iter()
            .map(short)
            .collect();
        assert_eq!((even(0.6), even(84.0), even(0.0)), ("0.60".into(), "84.0".into(), "0".into()));
        assert_eq!(texts, ["0", "0.05", "1", "1.05", "12", "12.3", "383", "12.5k", "3M", "1.0e-7", "1.0e20"]);
    }
}
