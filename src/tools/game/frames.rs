//! Frames of one character, each with its outline, its verdict, and where it is stored.

use std::collections::VecDeque;

use super::source::Place;
use crate::tools::compare::report::ResultDistance;
use kinescope_ik::game_recording::Outline;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Verdict {
    #[default]
    Unknown,
    NoResult,
    Same,
    Differs {
        /// The first stage, node or bone that differs: index into [`Game::places`](super::Game::places).
        place: u16,
        apart: ResultDistance,
    },
    /// Could not be read, solved or compared.
    Broken,
}

impl Verdict {
    pub const fn differs(self) -> bool {
        match self {
            Self::Differs { .. } | Self::Broken => true,
            Self::Unknown | Self::NoResult | Self::Same => false,
        }
    }

    pub(crate) const fn is_compared(self) -> bool {
        match self {
            Self::Same | Self::Differs { .. } | Self::Broken => true,
            Self::Unknown | Self::NoResult => false,
        }
    }

    const fn place(self) -> Option<u16> {
        match self {
            Self::Differs { place, .. } => Some(place),
            Self::Broken => Some(u16::MAX),
            Self::Unknown | Self::NoResult | Self::Same => None,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Entry {
    pub outline: Outline,
    pub verdict: Verdict,
    pub(super) place: Place,
    /// Place in the order of frames, joins and leaves: the line number in a recording, or `Game::clock`.
    pub(super) order: u64,
}

/// A stay of the character in the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// `Entry::order` of the join. 0 for a character of the header.
    pub(crate) joined: u64,
    /// `Entry::order` of the leave. `None` while the character is present.
    pub left: Option<u64>,
    /// Number of the first frame of the stay.
    pub first: u64,
}

/// The frames of one character. Frame numbers count from the character's first frame, even after that frame was dropped.
#[derive(Clone, Debug, Default)]
pub struct Lane {
    first: u64,
    entries: VecDeque<Entry>,
    /// The stays that have frames, oldest first, and last the one that has begun, even without frames.
    spans: VecDeque<Span>,
    next: u64,
    pub(crate) has_broken: bool,
    pub differing: usize,
    pub with_result: usize,
    pub judged: usize,
    /// Number of frames missing from the game's own numbering, such as those dropped before they reached this lane.
    pub skipped: u64,
}

impl Lane {
    pub(super) fn joined(order: u64) -> Self {
        let mut lane = Self::default();
        lane.join(order);
        lane
    }

    pub fn spans(&self) -> impl ExactSizeIterator<Item = &Span> {
        self.spans.iter()
    }

    pub fn is_present(&self) -> bool {
        self.spans.back().is_some_and(|span| span.left.is_none())
    }

    /// Returns the first and last frame of a stay that are still held. `None` if there is none.
    pub fn ends(&self, span: &Span) -> Option<[&Entry; 2]> {
        let next = self.spans.get(self.spans.partition_point(|next| next.first <= span.first));
        let next = next.map_or(self.next_number(), |next| next.first);
        let [first, last] = [span.first.max(self.first), next.checked_sub(1)?];
        Some([self.get(first)?, self.get(last)?]).filter(|_| first <= last)
    }

    pub(super) fn join(&mut self, order: u64) {
        self.leave(order);
        self.spans.push_back(Span { joined: order, left: None, first: self.next_number() });
    }

    pub(super) fn leave(&mut self, order: u64) {
        let next = self.next_number();
        if let Some(span) = self.spans.back_mut()
            && span.left.is_none()
        {
            span.left = Some(order);
            if span.first == next {
                self.spans.pop_back();
            }
        }
    }

    pub(super) fn has_empty_span(&self) -> bool {
        self.spans.back().is_some_and(|span| span.left.is_none() && span.first == self.next_number())
    }

    /// Removes the stay that has begun if it has no frames yet, and returns its [`Span::joined`].
    pub(super) fn take_empty_span(&mut self) -> Option<u64> {
        if !self.has_empty_span() {
            return None;
        }
        self.spans.pop_back().map(|span| span.joined)
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn range(&self) -> Option<[u64; 2]> {
        let count = self.entries.len().checked_sub(1)?;
        Some([self.first, self.first + count as u64])
    }

    pub fn get(&self, number: u64) -> Option<&Entry> {
        self.entries.get(self.index(number)?)
    }

    pub fn first(&self) -> Option<&Entry> {
        self.entries.front()
    }

    pub fn last(&self) -> Option<&Entry> {
        self.entries.back()
    }

    pub fn entries(&self) -> impl DoubleEndedIterator<Item = (u64, &Entry)> + ExactSizeIterator {
        let first = self.first;
        self.entries.iter().enumerate().map(move |(index, entry)| (first + index as u64, entry))
    }

    /// Returns the number of the last frame at or before `time` (seconds), or of the first frame if all are later.
    pub(crate) fn at_time(&self, time: f64) -> Option<u64> {
        let after = self.entries.partition_point(|entry| entry.outline.time <= time);
        (!self.entries.is_empty()).then(|| self.first + after.saturating_sub(1) as u64)
    }

    pub(crate) fn frames_per_second(&self) -> Option<f32> {
        let (first, last) = (self.entries.front()?, self.entries.back()?);
        let rate = (self.entries.len() - 1) as f64 / (last.outline.time - first.outline.time);
        (rate > 0.0 && rate.is_finite()).then_some((rate as f32).clamp(1.0, 240.0))
    }

    /// Returns the nearest frame at which a difference begins, after frame `number` if `after`, else before it.
    pub(crate) fn difference(&self, number: u64, after: bool) -> Option<u64> {
        // If frame `number` was dropped, `from` is `None`, and every frame held comes after that frame.
        let from = number.checked_sub(self.first).and_then(|from| usize::try_from(from).ok());
        let found = match after {
            true => (from.map_or(0, |from| from + 1)..self.entries.len()).find(|&index| self.begins(index)),
            false => (0..from.unwrap_or(0).min(self.entries.len())).rev().find(|&index| self.begins(index)),
        };
        Some(self.first + found? as u64)
    }

    pub(crate) fn beginnings(&self) -> impl Iterator<Item = (u64, &Entry)> {
        self.entries().enumerate().filter(|&(index, _)| self.begins(index)).map(|(_, numbered)| numbered)
    }

    fn begins(&self, index: usize) -> bool {
        let own = self.entries[index].verdict.place();
        own.is_some() && (index == 0 || self.entries[index - 1].verdict.place() != own)
    }

    fn index(&self, number: u64) -> Option<usize> {
        usize::try_from(number.checked_sub(self.first)?).ok().filter(|&index| index < self.entries.len())
    }

    pub(super) fn next_number(&self) -> u64 {
        self.first + self.entries.len() as u64
    }

    pub(super) fn push(&mut self, outline: Outline, place: Place, order: u64) {
        // Frames between two stays are not missing.
        let is_first = self.has_empty_span();
        if let Some(last) = self.entries.back().filter(|_| !is_first) {
            let skipped = outline.frame.saturating_sub(last.outline.frame.saturating_add(1));
            self.skipped = self.skipped.saturating_add(skipped);
        }
        let verdict = if outline.has_result { Verdict::Unknown } else { Verdict::NoResult };
        self.with_result += usize::from(outline.has_result);
        self.entries.push_back(Entry { outline, verdict, place, order });
    }

    pub(super) fn judge(&mut self, number: u64, verdict: Verdict) {
        let Some(index) = self.index(number) else { return };
        let entry = &mut self.entries[index];
        if entry.verdict == Verdict::Unknown {
            self.judged += 1;
            self.differing += usize::from(verdict.differs());
            self.has_broken |= verdict == Verdict::Broken;
            entry.verdict = verdict;
        }
    }

    /// Returns the next frame without a verdict. Each frame is returned once, unless it is [put back](Self::put_back).
    pub(super) fn take_next(&mut self) -> Option<(u64, Entry)> {
        loop {
            let number = self.next.max(self.first);
            let entry = self.get(number)?.clone();
            self.next = number + 1;
            if entry.verdict == Verdict::Unknown {
                return Some((number, entry));
            }
        }
    }

    pub(super) fn put_back(&mut self, number: u64) {
        self.next = self.next.min(number);
    }

    /// Drops the oldest frame and returns the bytes freed, or `None` if there is no frame, or if it is in a file.
    pub(super) fn drop_oldest(&mut self) -> Option<usize> {
        let bytes = match self.entries.front()?.place {
            Place::Memory(_, bytes) => bytes,
            Place::File { .. } => return None,
        };
        let Entry { verdict, outline, .. } = self.entries.pop_front()?;
        self.first += 1;
        self.next = self.next.max(self.first);
        while self.spans.get(1).is_some_and(|next| next.first <= self.first) {
            self.spans.pop_front();
        }
        self.with_result -= usize::from(outline.has_result).min(self.with_result);
        self.judged -= usize::from(verdict.is_compared()).min(self.judged);
        self.differing -= usize::from(verdict.differs()).min(self.differing);
        Some(bytes)
    }
}
