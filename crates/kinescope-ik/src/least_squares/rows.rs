//! The rows of the normal equations, and their solution.
//!
//! A row is the negative derivative of one residual by the turns of all joints and the shift of the root. The terms of
//! single joints (animated pose, last pose, limits, damping) need no rows: they make a block diagonal matrix D. With J
//! the rows, r their residuals, g the residuals of single joints times their squared weights, and d = D⁻¹ g the update
//! by single joints alone, the update is Δ = d + D⁻¹ Jᵀ (1 + J D⁻¹ Jᵀ)⁻¹ (r − J d), which needs a factorization of the
//! size of the rows only (the Woodbury identity).

#![allow(clippy::needless_range_loop, reason = "several arrays share each index")]

use glam::{Vec3, Vec4};

use super::moves::Cause;
use crate::joints::MAX_JOINTS;

/// One block for the shift of the root, then one for each joint.
pub(super) const BLOCKS: usize = MAX_JOINTS + 1;
/// Three rows for each of nine positions and nine rotations; one for each of four bends, for the centre of mass, and
/// for each of [`OVERLAPS`] overlaps.
pub(super) const MOST_ROWS: usize = 27 + 27 + 4 + 1 + OVERLAPS;
/// [`MOST_ROWS`], rounded up to a multiple of [`LANES`].
const COLUMNS: usize = MOST_ROWS.next_multiple_of(LANES);
/// Columns of the factor that are computed at once.
const LANES: usize = 4;
/// The largest number of overlaps that an iteration corrects.
pub(super) const OVERLAPS: usize = 8;

/// One vector per block; the fourth component is zero.
pub(super) type Blocks = [Vec4; BLOCKS];

/// Two ranges of blocks, outside which a row is zero. For a joint of a limb they are those of the trunk and of the
/// limb.
pub(super) type Ranges = [[usize; 2]; 2];

/// The part of the normal equations that concerns one joint alone, or the shift of the root alone.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Single {
    /// Sum of the squared weights of animated pose and last pose, without damping.
    pub weight: f32,
    /// Residual of the animated pose, times the squared weight.
    pub rest: Vec3,
    /// Residual of the last pose, times the squared weight.
    pub smoothness: Vec3,
    /// Axis of the correction by the limit, model space; zero if the limit is not in the equations.
    pub axis: Vec3,
    /// Squared weight of the limit; 0 if the limit is not in the equations.
    pub limit: f32,
    /// The turn about the axis to the excess that may stay: that of the animated pose, and more for a stiff limit.
    /// Radians; negative for a joint that has not reached this excess.
    pub excess: f32,
    /// Factor of the damping.
    pub damped: f32,
}

#[derive(Clone, Debug)]
pub(super) struct Rows {
    pub count: usize,
    pub rows: Vec<Blocks>,
    pub ranges: [Ranges; MOST_ROWS],
    pub residuals: [f32; MOST_ROWS],
    pub causes: [Cause; MOST_ROWS],
    pub singles: [Single; BLOCKS],
    /// D⁻¹ of each block, with the damping of the last [`Rows::factorize`].
    inverses: [Inverse; BLOCKS],
    /// J D⁻¹.
    scaled: Vec<Blocks>,
    /// Upper triangle of the Cholesky factor of 1 + J D⁻¹ Jᵀ, with the inverses of its diagonal on the diagonal. Numbers below
    /// the diagonal have no meaning.
    factor: Vec<[f32; COLUMNS]>,
}

impl Default for Rows {
    fn default() -> Self {
        Self {
            count: 0,
            rows: vec![[Vec4::ZERO; BLOCKS]; MOST_ROWS],
            ranges: [[[0; 2]; 2]; MOST_ROWS],
            residuals: [0.0; MOST_ROWS],
            causes: [Cause::Rest; MOST_ROWS],
            singles: [Single::default(); BLOCKS],
            inverses: [Inverse::default(); BLOCKS],
            scaled: vec![[Vec4::ZERO; BLOCKS]; MOST_ROWS],
            factor: vec![[0.0; COLUMNS]; MOST_ROWS],
        }
    }
}

/// The inverse of a block of D: a multiple of the identity, smaller along the axis of a limit.
#[derive(Clone, Copy, Debug, Default)]
struct Inverse {
    /// 1 / (weight + damping with its factor).
    scale: f32,
    /// The fraction by which the limit reduces the part along `axis`, 0 to 1.
    share: f32,
    axis: Vec4,
}

impl Inverse {
    #[inline(always)]
    fn new(single: &Single, damping: f32) -> Self {
        let weight = single.weight + damping * single.damped;
        let share = if single.limit > 0.0 { single.limit / (weight + single.limit) } else { 0.0 };
        Self { scale: 1.0 / weight, share, axis: single.axis.extend(0.0) }
    }

    /// Returns D⁻¹ v.
    #[inline(always)]
    fn of(&self, v: Vec4) -> Vec4 {
        let v = v * self.scale;
        if self.share > 0.0 { v - self.axis * (self.axis.dot(v) * self.share) } else { v }
    }
}

impl Rows {
    /// Adds a row and returns its blocks for filling; `None` if there is no room.
    #[inline]
    pub fn add(&mut self, cause: Cause, residual: f32, ranges: Ranges) -> Option<&mut Blocks> {
        let index = self.count;
        let row = self.rows.get_mut(index)?;
        self.count += 1;
        self.residuals[index] = residual;
        self.causes[index] = cause;
        self.ranges[index] = ranges;
        Some(row)
    }

    /// Computes J D⁻¹ and the factor of 1 + J D⁻¹ Jᵀ. False if a pivot is not finite.
    pub fn factorize(&mut self, damping: f32) -> bool {
        for (block, single) in self.singles.iter().enumerate() {
            self.inverses[block] = Inverse::new(single, damping);
        }
        for row in 0..self.count {
            let (scaled, own) = (&mut self.scaled[row], &self.rows[row]);
            for [from, to] in self.ranges[row] {
                for block in from..to {
                    scaled[block] = self.inverses[block].of(own[block]);
                }
            }
        }
        self.multiply();
        self.decompose()
    }

    /// Computes 1 + J D⁻¹ Jᵀ.
    fn multiply(&mut self) {
        let mut first = 0;
        while first < self.count {
            let group = self.group(first);
            let mut other = 0;
            while other <= first {
                let others = self.group(other);
                let spans = common(self.ranges[first], self.ranges[other]);
                let mut row = group[0];
                while row < group[1] {
                    let rows = (group[1] - row).min(3);
                    let mut column = others[0];
                    while column < others[1].min(row + rows) {
                        let columns = (others[1] - column).min(3);
                        self.multiply_tile([row, rows], [column, columns], &spans);
                        column += columns;
                    }
                    row += rows;
                }
                other = others[1];
            }
            first = group[1];
        }
        let end = self.count.next_multiple_of(LANES);
        for row in 0..self.count {
            self.factor[row][row] += 1.0;
            self.factor[row][self.count..end].fill(0.0);
        }
    }

    /// Returns the start and end of the rows from `first` on that have the same ranges.
    #[inline]
    fn group(&self, first: usize) -> [usize; 2] {
        let mut end = first + 1;
        while end < self.count && self.ranges[end] == self.ranges[first] {
            end += 1;
        }
        [first, end]
    }

    /// Computes up to 3 × 3 numbers of 1 + J D⁻¹ Jᵀ, without the 1. Rows and columns are given by their first and number.
    #[inline(always)]
    fn multiply_tile(&mut self, [row, rows]: [usize; 2], [column, columns]: [usize; 2], spans: &[[usize; 2]; 4]) {
        if rows == 3 && columns == 3 {
            let (a, b) = (&self.scaled[row..row + 3], &self.rows[column..column + 3]);
            let mut sums = [[Vec4::ZERO; 3]; 3];
            for &[from, to] in spans {
                for block in from..to.min(BLOCKS) {
                    for i in 0..3 {
                        for j in 0..3 {
                            sums[i][j] += a[i][block] * b[j][block];
                        }
                    }
                }
            }
            for i in 0..3 {
                for j in 0..3 {
                    let sum = sums[i][j].element_sum();
                    self.factor[row + i][column + j] = sum;
                    self.factor[column + j][row + i] = sum;
                }
            }
            return;
        }
        for i in row..row + rows {
            for j in column..column + columns {
                let mut sum = Vec4::ZERO;
                for &[from, to] in spans {
                    for block in from..to.min(BLOCKS) {
                        sum += self.scaled[i][block] * self.rows[j][block];
                    }
                }
                let sum = sum.element_sum();
                self.factor[i][j] = sum;
                self.factor[j][i] = sum;
            }
        }
    }

    /// Replaces 1 + J D⁻¹ Jᵀ by its Cholesky factor; returns false if a pivot is not finite. Each row, once final, is
    /// subtracted from the rows below it, so that columns are independent of each other and several are computed at
    /// once.
    fn decompose(&mut self) -> bool {
        let end = self.count.next_multiple_of(LANES);
        for pivot in 0..self.count {
            let (above, below) = self.factor.split_at_mut(pivot + 1);
            let own = &mut above[pivot];
            if !own[pivot].is_finite() {
                return false;
            }
            // Rounding can make the smallest pivots negative.
            let inverse = 1.0 / own[pivot].max(1e-6).sqrt();
            for number in &mut own[pivot..end] {
                *number *= inverse;
            }
            own[pivot] = inverse;
            for row in pivot + 1..self.count {
                // Whole groups of columns, with some below the diagonal.
                let from = row / LANES * LANES;
                let factor = own[row];
                subtract(&mut below[row - pivot - 1][from..end], factor, &own[from..end]);
            }
        }
        true
    }

    /// Solves for the part of the update by one `cause`, or for the whole update if it is `None`, with the damping of
    /// the last [`Self::factorize`].
    pub fn solve(&self, cause: Option<Cause>, update: &mut Blocks) {
        let is_of = |own: Cause| cause.is_none_or(|cause| cause == own);
        for block in 0..BLOCKS {
            let (single, inverse) = (&self.singles[block], &self.inverses[block]);
            let mut pulled = Vec3::ZERO;
            if is_of(Cause::Rest) {
                pulled += single.rest;
            }
            if is_of(Cause::Smoothness) {
                pulled += single.smoothness;
            }
            update[block] = inverse.of(pulled.extend(0.0));
            if is_of(Cause::Limits) && single.limit > 0.0 {
                // Not by the inverse, which would lose the digits of a large weight.
                update[block] += inverse.axis * (inverse.share * single.excess);
            }
        }
        let mut right = [0.0; MOST_ROWS];
        for row in 0..self.count {
            let own = if is_of(self.causes[row]) { self.residuals[row] } else { 0.0 };
            let mut sum = Vec4::ZERO;
            for [from, to] in self.ranges[row] {
                for block in from..to {
                    sum += self.rows[row][block] * update[block];
                }
            }
            right[row] = own - sum.element_sum();
        }
        for row in 0..self.count {
            let own = &self.factor[row];
            let value = right[row] * own[row];
            right[row] = value;
            subtract(&mut right[row + 1..self.count], value, &own[row + 1..self.count]);
        }
        for row in (0..self.count).rev() {
            let own = &self.factor[row];
            let mut value = right[row];
            for column in row + 1..self.count {
                value -= own[column] * right[column];
            }
            right[row] = value * own[row];
        }
        for row in 0..self.count {
            for [from, to] in self.ranges[row] {
                for block in from..to {
                    update[block] += self.scaled[row][block] * right[row];
                }
            }
        }
    }
}

/// Subtracts `factor` times `numbers` from `from`, up to the end of the shorter slice.
#[inline(always)]
fn subtract(from: &mut [f32], factor: f32, numbers: &[f32]) {
    for index in 0..from.len().min(numbers.len()) {
        from[index] -= factor * numbers[index];
    }
}

/// Returns the spans of blocks that two rows have in common; unused spans are empty.
#[inline]
fn common(a: Ranges, b: Ranges) -> [[usize; 2]; 4] {
    let mut spans = [[0; 2]; 4];
    let mut count = 0;
    for [a_from, a_to] in a {
        for [b_from, b_to] in b {
            let (from, to) = (a_from.max(b_from), a_to.min(b_to));
            if from < to {
                spans[count] = [from, to];
                count += 1;
            }
        }
    }
    spans
}
