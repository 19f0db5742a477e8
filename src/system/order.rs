//! Stable sorting for lists of all types. The standard library's sort is compiled again for each type and comparison, with
//! 2,500 lines of intermediate code each. Here it sorts only indices.

use std::cmp::Ordering;

/// Sorts as [`slice::sort_by_key`] does.
pub fn sort_by_key<T, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(list, |a, b| key(a).cmp(&key(b)));
}

/// Sorts as [`slice::sort_by`] does.
pub fn sort_by<T>(list: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    // The index of the entry that belongs at each place.
    let mut from = sorted_indices(list.len(), &|a, b| compare(&list[a], &list[b]));
    for first in 0..list.len() {
        let mut place = first;
        while from[place] != first {
            list.swap(place, from[place]);
            place = std::mem::replace(&mut from[place], place);
        }
        from[place] = place;
    }
}

fn sorted_indices(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut indices: Vec<usize> = (0..count).collect();
    indices.sort_by(|&a, &b| compare(a, b));
    indices
}
