//! The sheet of a formula: its lines, symbols and curve.

use std::collections::HashSet;

use glam::{Quat, Vec3};

use super::functions::MEANINGS;
use super::term::{Expression, Named, Term};
use super::value::{Point, Quantity, Value};
use crate::rig::RigidTransform;

/// A formula of several lines, with the numbers of one instant.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// The title: `push, left arm`.
    pub title: String,
    /// The lines in order of evaluation; the last one gives the result.
    pub lines: Vec<Line>,
    /// The symbols and functions that occur in the `symbolic` texts of the lines.
    pub symbols: Vec<Symbol>,
    /// The value of the last line; after [`Self::end_placed`], the position and the rotation of the last two lines.
    pub result: Value,
    /// The curve that one of the lines evaluates, if a setting selects it from several.
    pub curve: Option<Curve>,
}

/// A set of curves from 0 to 1, of which a setting selects one, and the point of this instant on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// The index of the line that evaluates the curve.
    pub line: usize,
    /// The name of the line's result.
    pub name: &'static str,
    /// The text of the input, as in the line: `1 − |v| / distance`.
    pub input: String,
    /// Input and output at this instant.
    pub at: [f32; 2],
    /// All curves to select from.
    pub courses: Vec<Course>,
    /// The index of the selected curve.
    pub in_force: usize,
}

/// One of the curves of a [`Curve`].
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// The text with `x` as input: `x²`.
    pub text: String,
    /// Points on the curve, input and output, for inputs from 0 to 1.
    pub points: Vec<[f32; 2]>,
}

/// One line of a [`Sheet`].
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The text with symbols: `f = (1 − |v| / distance)²`.
    pub symbolic: String,
    /// The text with numbers: `= (1 − 0.4120 / 0.5380)² = 0.0549`. Only `=` and the value if that is too wide, has no
    /// numbers to insert, or would repeat the symbols or the value.
    pub numeric: String,
    /// The value after the line: that of the expression, or of the changed point in a line with `+=` or `−=`.
    pub value: Value,
}

/// A symbol in a formula.
#[derive(Clone, Debug, PartialEq)]
pub struct Symbol {
    /// The name, as in formulas.
    pub name: &'static str,
    /// A sentence or two on what it stands for, with the unit. A parameter also states its place in a preset.
    pub meaning: String,
    /// The values, not rounded. A function has none; a symbol within a sum has one for each term.
    pub values: Vec<Value>,
}

impl Symbol {
    /// Returns the value as text; empty if the symbol has no value or several.
    pub fn value(&self) -> String {
        match self.values.as_slice() {
            [value] => value.text(),
            _ => String::new(),
        }
    }
}

/// The largest number of characters in a line with numbers that fits a pane. A longer line shows only its result.
const WIDEST: usize = 46;

/// A function of a number from 0 to 1 that a setting can select.
pub type Shaping = fn(Term<f32>) -> Term<f32>;

const PIECES: u8 = 32;

impl Default for Sheet {
    fn default() -> Self {
        Self { title: String::new(), lines: Vec::new(), symbols: Vec::new(), result: Value::Number(0.0), curve: None }
    }
}

impl Sheet {
    /// Adds a symbol with its value and meaning. Adding a symbol again with the same value has no effect.
    pub fn given<Q: Quantity>(&mut self, name: &'static str, value: Q, meaning: impl Into<String>) -> Named<Q> {
        let values = vec![value.value()];
        if !self.symbols.iter().any(|symbol| symbol.name == name && symbol.values == values) {
            self.symbols.push(Symbol { name, meaning: meaning.into(), values });
        }
        Named { name, value }
    }

    /// Adds a symbol that has a different value in each term of a sum.
    pub fn each<Q: Quantity>(
        &mut self,
        name: &'static str,
        values: impl IntoIterator<Item = Q>,
        meaning: impl Into<String>,
    ) -> Vec<Named<Q>> {
        let all: Vec<Named<Q>> = values.into_iter().map(|value| Named { name, value }).collect();
        let values = all.iter().map(|named| named.value.value()).collect();
        self.symbols.push(Symbol { name, meaning: meaning.into(), values });
        all
    }

    /// Adds a line `name = expression`, and the symbol `name`.
    pub fn define<E: Expression>(
        &mut self,
        name: &'static str,
        expression: E,
        meaning: impl Into<String>,
    ) -> Named<E::Quantity> {
        let term = expression.term();
        self.line(name, "=", &term, term.value.value());
        self.given(name, term.value, meaning)
    }

    /// Adds a line `name = curve(input)` with one of several curves, and the [`Curve`] with all of them.
    ///
    /// # Panics
    /// Panics if `in_force` is not an index of `courses`.
    pub fn define_on_curve(
        &mut self,
        name: &'static str,
        (courses, in_force): (&[Shaping], usize),
        input: Term<f32>,
        meaning: impl Into<String>,
    ) -> Named<f32> {
        let x = |value: f32| Named { name: "x", value }.term();
        let course = |of: &Shaping| Course {
            text: of(x(0.0)).text().to_owned(),
            points: (0..=PIECES)
                .map(|piece| f32::from(piece) / f32::from(PIECES))
                .map(|at| [at, of(x(at)).get()])
                .collect(),
        };
        let courses_drawn = courses.iter().map(course).collect();
        let (at, text) = (input.get(), input.text().to_owned());
        let line = self.lines.len();
        let named = self.define(name, courses[in_force](input), meaning);
        let at = [at, named.get()];
        self.curve = Some(Curve { line, name, input: text, at, courses: courses_drawn, in_force });
        named
    }

    /// Finishes with the line `name = expression`.
    #[must_use]
    pub fn end<E: Expression>(mut self, title: impl Into<String>, name: &str, expression: E) -> Self {
        let term = expression.term();
        let value = term.value.value();
        self.line(name, "=", &term, value);
        self.close(title, value)
    }

    /// Finishes with the line `name = expression`, and adds the symbol `name`.
    #[must_use]
    pub fn end_with<E: Expression>(
        mut self,
        title: impl Into<String>,
        name: &'static str,
        expression: E,
        meaning: impl Into<String>,
    ) -> Self {
        let value = self.define(name, expression, meaning).value.value();
        self.close(title, value)
    }

    /// Finishes with the line `place += by`.
    #[must_use]
    pub fn end_shifted(
        self,
        title: impl Into<String>,
        place: Named<Point>,
        by: impl Expression<Quantity = Vec3>,
    ) -> Self {
        let by = by.term();
        let to = Point(place.value.0 + by.value);
        self.end_changed(title, place, ("+=", by), to)
    }

    /// Finishes with the line `place −= by`.
    #[must_use]
    pub fn end_shifted_back(
        self,
        title: impl Into<String>,
        place: Named<Point>,
        by: impl Expression<Quantity = Vec3>,
    ) -> Self {
        let by = by.term();
        let to = Point(place.value.0 - by.value);
        self.end_changed(title, place, ("−=", by), to)
    }

    fn end_changed(
        mut self,
        title: impl Into<String>,
        place: Named<Point>,
        (sign, by): (&str, Term<Vec3>),
        to: Point,
    ) -> Self {
        self.line(place.name, sign, &by, to.value());
        self.close(title, to.value())
    }

    /// Finishes with the line `name = rotation` for the rotation of a bone.
    #[must_use]
    pub fn end_turned(
        mut self,
        title: impl Into<String>,
        name: &str,
        rotation: impl Expression<Quantity = Quat>,
    ) -> Self {
        let value = self.turned(name, &rotation.term());
        self.close(title, value)
    }

    /// Finishes as [`Self::end_turned`], and adds the symbol `name`.
    #[must_use]
    pub fn end_turned_with(
        mut self,
        title: impl Into<String>,
        name: &'static str,
        rotation: impl Expression<Quantity = Quat>,
        meaning: impl Into<String>,
    ) -> Self {
        let value = self.turned(name, &rotation.term());
        self.symbols.push(Symbol { name, meaning: meaning.into(), values: vec![value] });
        self.close(title, value)
    }

    /// Finishes with two lines, for position and rotation of a bone.
    #[must_use]
    pub fn end_placed(
        mut self,
        title: impl Into<String>,
        (name, place): (&str, impl Expression<Quantity = Point>),
        (turned, rotation): (&str, impl Expression<Quantity = Quat>),
    ) -> Self {
        let (place, rotation) = (place.term(), rotation.term());
        self.line(name, "=", &place, place.value.value());
        self.turned(turned, &rotation);
        self.close(title, Value::Bone(RigidTransform { position: place.value.0, rotation: rotation.value }))
    }

    fn turned(&mut self, name: &str, rotation: &Term<Quat>) -> Value {
        let value = Value::Orientation(rotation.value);
        self.line(name, "=", rotation, value);
        value
    }

    fn line<Q: Quantity>(&mut self, name: &str, sign: &str, term: &Term<Q>, value: Value) {
        let text = value.text();
        let inserted = term.numbers().map(|numbers| format!("= {numbers} = {text}"));
        let numeric = inserted.filter(|line| line.chars().count() <= WIDEST).unwrap_or_else(|| format!("= {text}"));
        self.lines.push(Line { symbolic: format!("{name} {sign} {}", term.text()), numeric, value });
    }

    fn close(mut self, title: impl Into<String>, result: Value) -> Self {
        (self.title, self.result) = (title.into(), result);
        // Finding the names of a line takes longer than everything else here, so they are found once for all symbols.
        let names: HashSet<&str> = self.lines.iter().flat_map(|line| names_in(&line.symbolic)).collect();
        self.symbols.retain(|symbol| names.contains(symbol.name));
        let functions = MEANINGS.iter().filter(|(name, _)| names.contains(name));
        let symbol = |&(name, meaning): &(_, &str)| Symbol { name, meaning: meaning.to_owned(), values: vec![] };
        self.symbols.extend(functions.map(symbol));
        self
    }
}

/// Returns the names in a line's `symbolic` text, in order, as slices of that text.
pub fn names_in(symbolic: &str) -> impl Iterator<Item = &str> {
    let belongs = |c: char| (c.is_alphanumeric() && !"¹²³".contains(c)) || c == '_' || c == '′';
    let words = symbolic.split(move |c| !belongs(c));
    // Digits before a name are a factor: `2s`.
    words.map(|word| word.trim_start_matches(char::is_numeric)).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::super::functions::*;
    use super::*;

    #[test]
    fn names_are_found_between_numbers_and_signs() {
        let names = |symbolic| names_in(symbolic).collect::<Vec<_>>();
        assert_eq!(names("f = (1 − |v| / distance)²"), ["f", "v", "distance"]);
        assert_eq!(names("x = (s² + k) / 2s"), ["x", "s", "k", "s"]);
        assert_eq!(names("p₁ −= Δ_la · √max(0, plane₀⁻¹) · 0.9999 · ½"), ["p₁", "Δ_la", "max", "plane₀"]);
    }

    fn line<E: Expression>(make: impl FnOnce([Named<f32>; 2]) -> E) -> [String; 2] {
        let mut sheet = Sheet::default();
        let numbers = [sheet.given("a", 0.5, "A."), sheet.given("b", -2.0, "B.")];
        sheet.define("c", make(numbers), "C.");
        [sheet.lines[0].symbolic.clone(), sheet.lines[0].numeric.clone()]
    }

    #[test]
    fn parentheses_are_where_they_are_needed() {
        assert_eq!(line(|[a, b]| a - (b - a)), ["c = a − (b − a)", "= 0.5000 − (−2.0000 − 0.5000) = 3.0000"]);
        assert_eq!(line(|[a, b]| a - b - a), ["c = a − b − a", "= 0.5000 − (−2.0000) − 0.5000 = 2.0000"]);
        assert_eq!(line(|[a, b]| a * (a * b)), ["c = a · (a · b)", "= 0.5000 · (0.5000 · (−2.0000)) = −0.5000"]);
        assert_eq!(line(|[a, b]| a / (2.0 * b))[0], "c = a / (2 · b)");
        assert_eq!(
            line(|[a, b]| (a + b) / twice(a)),
            ["c = (a + b) / 2a", "= (0.5000 + (−2.0000)) / 1.0000 = −1.5000"]
        );
        assert_eq!(line(|[a, b]| -a * b), ["c = −a · b", "= −0.5000 · (−2.0000) = 1.0000"]);
        assert_eq!(line(|[a, b]| -(a * b))[0], "c = −a · b");
        assert_eq!(line(|[a, b]| a - -(a * b))[0], "c = a − (−a · b)");
        assert_eq!(line(|[a, b]| a * -b)[0], "c = a · (−b)");
        assert_eq!(line(|[a, b]| square(b) - cube(-a)), ["c = b² − (−a)³", "= (−2.0000)² − (−0.5000)³ = 4.1250"]);
        assert_eq!(line(|[a, b]| square(square(b)) + sqrt(a))[0], "c = (b²)² + √a");
        assert_eq!(line(|[a, b]| sqrt(square(a) * size(b)))[0], "c = √(a² · |b|)");
        assert_eq!(line(|[a, _]| half() - half() * a)[0], "c = ½ − ½ · a");
        assert_eq!(line(|[a, b]| -half() * sum([a * b, a * b]))[0], "c = −½ · Σ a · b");
        assert_eq!(line(|[a, b]| sum([a * b]) * a)[0], "c = (Σ a · b) · a");
        assert_eq!(line(|[a, _]| less(a, 1.0)), ["c = a < 1", "= 0.5000 < 1 = yes"]);
    }

    #[test]
    fn numbers_are_shown_where_they_say_more_and_fit() {
        assert_eq!(line(|_| half())[1], "= 0.5000");
        assert_eq!(line(|[a, _]| a)[1], "= 0.5000");
        assert_eq!(line(|[a, b]| a * b * a * b * a * b * a)[1], "= −0.5000");
        assert_eq!(line(|[a, b]| clamp(a, (a + b).evaluated(), 1.0))[1], "= clamp(0.5000, −1.5000, 1) = 0.5000");
    }
}
