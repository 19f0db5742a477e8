//! The glossary, and the marks of its terms in the lessons' texts.

use super::lessons::glossary::TERMS;

#[derive(Debug)]
pub struct Term {
    pub name: &'static str,
    pub definition: &'static str,
}

impl Term {
    /// Ignores case, because a term may begin a sentence.
    pub fn find(name: &str) -> Option<&'static Self> {
        TERMS.iter().find(|term| term.name.eq_ignore_ascii_case(name))
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece<'a> {
    pub(crate) text: &'a str,
    pub(crate) term: Option<&'static Term>,
}

/// Splits a text at its marks. A mark is `[term]`, or `[words|term]` if the words differ from the term's name.
pub(crate) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let (mut found, mut rest) = (Vec::new(), text);
    while let Some((before, (marked, after))) =
        rest.split_once('[').and_then(|(before, after)| Some((before, after.split_once(']')?)))
    {
        let (words, name) = marked.split_once('|').unwrap_or((marked, marked));
        found.push(Piece { text: before, term: None });
        found.push(Piece { text: words, term: Term::find(name) });
        rest = after;
    }
    found.push(Piece { text: rest, term: None });
    found.retain(|piece| !piece.text.is_empty());
    found
}

pub fn marked(text: &str) -> Vec<&str> {
    let marks = text.split('[').skip(1).filter_map(|rest| Some(rest.split_once(']')?.0));
    marks.map(|mark| mark.split_once('|').map_or(mark, |(_, name)| name)).collect()
}

pub fn plain(text: &str) -> String {
    pieces(text).iter().map(|piece| piece.text).collect()
}
