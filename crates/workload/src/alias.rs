//! Draws an index by its weight in constant time (the alias method of Walker, built as by Vose).
//!
//! Picture one cell per index, all of the same height. Where an index is rarer than the average its cell is
//! filled up with a piece of a more frequent one. A draw picks a cell, then one of its two owners by height.

use crate::Rng;
use rand::Rng as _;

/// A table of weights to draw from.
pub(crate) struct Alias {
    cells: Vec<Cell>,
}

/// One cell: its own index below `own`, as a fraction of the height, and `other` above it.
#[derive(Clone, Copy)]
struct Cell {
    own: f64,
    other: u32,
}

impl Alias {
    /// Builds the table. Weights need not sum to 1.
    ///
    /// # Panics
    /// If there is no weight, or they do not sum to a positive finite number: callers validate their options.
    pub(crate) fn new(weights: &[f64]) -> Self {
        let total: f64 = weights.iter().sum();
        assert!(total > 0.0 && total.is_finite(), "weights sum to {total}: expected a positive number");
        let scale = weights.len() as f64 / total;
        let mut heights: Vec<f64> = weights.iter().map(|weight| weight * scale).collect();
        let mut cells: Vec<Cell> = (0..weights.len()).map(|i| Cell { own: 1.0, other: i as u32 }).collect();
        let (mut low, mut high): (Vec<usize>, Vec<usize>) =
            (0..heights.len()).partition(|&i| heights[i] < 1.0);
        while let (Some(&giver), Some(taker)) = (high.last(), low.pop()) {
            cells[taker] = Cell { own: heights[taker], other: giver as u32 };
            heights[giver] -= 1.0 - heights[taker];
            if heights[giver] < 1.0 {
                high.pop();
                low.push(giver);
            }
        }
        // Whatever is left on either list is 1 up to rounding, and keeps its whole cell.
        Self { cells }
    }

    /// An index, as often as its weight says.
    pub(crate) fn draw(&self, rng: &mut Rng) -> usize {
        // One random number serves twice: the high half of the product is the cell, the low half the height.
        let product = u128::from(rng.next_u64()) * self.cells.len() as u128;
        let index = (product >> 64) as usize;
        let height = (product as u64) as f64 * (1.0 / 18_446_744_073_709_551_616.0);
        let chosen = self.cells[index];
        if height < chosen.own { index } else { chosen.other as usize }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The probability of each index, read back from the cells.
    fn probabilities(table: &Alias) -> Vec<f64> {
        let mut out = vec![0.0; table.cells.len()];
        for (index, content) in table.cells.iter().enumerate() {
            out[index] += content.own;
            out[content.other as usize] += 1.0 - content.own;
        }
        out.iter().map(|sum| sum / table.cells.len() as f64).collect()
    }

    #[test]
    fn cells_hold_exactly_the_weights() {
        for weights in [vec![1.0], vec![1.0, 0.0, 3.0], (1..=500).map(|i| f64::from(i).powi(-3)).collect()] {
            let total: f64 = weights.iter().sum();
            for (found, weight) in probabilities(&Alias::new(&weights)).iter().zip(&weights) {
                assert!((found - weight / total).abs() < 1e-12, "{found} for {weight} of {total}");
            }
        }
    }

    #[test]
    fn draws_follow_the_weights_and_never_hit_a_zero() {
        let table = Alias::new(&[0.5, 0.0, 0.2, 0.3]);
        let mut rng = crate::rng(1, 0);
        let mut found = [0u32; 4];
        for _ in 0..100_000 {
            found[table.draw(&mut rng)] += 1;
        }
        assert_eq!(found[1], 0);
        for (index, share) in [(0, 0.5), (2, 0.2), (3, 0.3)] {
            assert!((f64::from(found[index]) / 1e5 - share).abs() < 0.006, "{found:?}");
        }
    }

    #[test]
    #[should_panic(expected = "weights sum to 0")]
    fn refuses_weights_that_are_all_zero() {
        Alias::new(&[0.0, 0.0]);
    }
}
