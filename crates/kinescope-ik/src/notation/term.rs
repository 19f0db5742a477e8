//! Terms: values together with the text of the expression that computes them.

use std::ops::{Add, Div, Mul, Neg, Sub};

use glam::{Quat, Vec3};

use super::value::{Degrees, Point, Quantity, Value};

/// How tightly the outermost operator of a text binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Sum,
    /// A product that ends in `Σ`: a factor after it would become part of the sum.
    Open,
    Product,
    Sign,
    Power,
    Atom,
}

#[derive(Clone, Debug, PartialEq)]
struct Text {
    text: String,
    rank: Rank,
}

impl Text {
    fn atom(text: impl Into<String>) -> Self {
        Self { text: text.into(), rank: Rank::Atom }
    }

    fn number(text: String) -> Self {
        let rank = if text.starts_with('−') { Rank::Sign } else { Rank::Atom };
        Self { text, rank }
    }

    fn unless(&self, ranks: &[Rank]) -> String {
        if ranks.contains(&self.rank) { format!("({})", self.text) } else { self.text.clone() }
    }

    fn whole(&self) -> String {
        self.unless(&[Rank::Sum, Rank::Open, Rank::Product, Rank::Sign, Rank::Power])
    }

    /// Returns the text to follow an operator, in parentheses if it starts with a minus sign or its rank is one of
    /// `ranks`.
    fn behind(&self, ranks: &[Rank]) -> String {
        if self.text.starts_with('−') { format!("({})", self.text) } else { self.unless(ranks) }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    Plus,
    Minus,
    Times,
    Over,
    Cross,
    Less,
    Negative,
    /// `|x|`
    Size,
    /// A suffix: `x²`.
    Power(&'static str),
    Root,
    /// `Σ x`
    Sum,
    /// `name(a, b)`
    Call(&'static str),
    /// `a · (1 − w) + b · w`
    Mix,
    /// `2x`
    Twice,
}

impl Form {
    fn write(self, parts: &[&Text]) -> Text {
        let sum = |sign: &str, [a, b]: [&Text; 2]| Text {
            text: format!("{} {sign} {}", a.text, b.behind(&[Rank::Sum])),
            rank: Rank::Sum,
        };
        let product = |sign: &str, [a, b]: [&Text; 2]| Text {
            text: format!("{} {sign} {}", a.unless(&[Rank::Sum, Rank::Open]), b.behind(&[Rank::Sum, Rank::Product])),
            rank: if b.rank == Rank::Open { Rank::Open } else { Rank::Product },
        };
        match (self, parts) {
            (Self::Plus, &[a, b]) => sum("+", [a, b]),
            (Self::Minus, &[a, b]) => sum("−", [a, b]),
            (Self::Less, &[a, b]) => sum("<", [a, b]),
            (Self::Times, &[a, b]) => product("·", [a, b]),
            (Self::Over, &[a, b]) => product("/", [a, b]),
            (Self::Cross, &[a, b]) => product("×", [a, b]),
            (Self::Mix, &[a, b, weight]) => {
                let rest = sum("−", [&Text::atom("1"), weight]);
                sum("+", [&product("·", [a, &rest]), &product("·", [b, weight])])
            }
            // A minus sign in front of a product belongs to its first factor.
            (Self::Negative, &[a]) => {
                let rank = if a.rank == Rank::Product { Rank::Product } else { Rank::Sign };
                Text { text: format!("−{}", a.behind(&[Rank::Sum, Rank::Open])), rank }
            }
            (Self::Size, &[a]) => Text::atom(format!("|{}|", a.text)),
            (Self::Power(sign), &[a]) => Text { text: format!("{}{sign}", a.whole()), rank: Rank::Power },
            (Self::Root, &[a]) => Text { text: format!("√{}", a.whole()), rank: Rank::Power },
            (Self::Sum, &[a, ..]) => Text { text: format!("Σ {}", a.behind(&[Rank::Sum])), rank: Rank::Open },
            (Self::Twice, &[a]) => Text::atom(format!("2{}", a.whole())),
            (Self::Call(name), parts) => {
                let parts: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
                Text::atom(format!("{name}({})", parts.join(", ")))
            }
            // Unreachable: no operation has other numbers of operands.
            (_, parts) => Text::atom(parts.iter().map(|part| part.whole()).collect::<String>()),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Texts {
    symbolic: Text,
    /// `None` if the text would contain coordinates or rotations.
    numeric: Option<Text>,
}

/// An expression with its value, its text with symbols and its text with numbers. Terms are created only from symbols
/// and constants and by operations on terms, so text and value always agree.
#[derive(Clone, Debug, PartialEq)]
pub struct Term<Q> {
    pub(super) value: Q,
    pub(super) texts: Texts,
}

/// A symbol of a [`Sheet`](super::Sheet) with its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Named<Q> {
    pub(super) name: &'static str,
    pub(super) value: Q,
}

impl<Q: Copy> Named<Q> {
    /// Returns the value.
    pub fn get(self) -> Q {
        self.value
    }
}

/// An operand: a term, a symbol, or a number or angle that is the same in every solve.
pub trait Expression {
    /// The type of the value: a number, a vector, a rotation.
    type Quantity: Quantity;

    /// Returns the operand as a term.
    fn term(self) -> Term<Self::Quantity>;
}

impl<Q: Quantity> Expression for Term<Q> {
    type Quantity = Q;

    fn term(self) -> Self {
        self
    }
}

impl<Q: Quantity> Expression for Named<Q> {
    type Quantity = Q;

    fn term(self) -> Term<Q> {
        let texts = Texts { symbolic: Text::atom(self.name), numeric: inserted(self.value) };
        Term { value: self.value, texts }
    }
}

impl Expression for f32 {
    type Quantity = Self;

    fn term(self) -> Term<Self> {
        Term::constant(self, &format!("{self}").replace('-', "−"))
    }
}

impl Expression for Degrees {
    type Quantity = Self;

    fn term(self) -> Term<Self> {
        Term::constant(self, &format!("{}°", self.0).replace('-', "−"))
    }
}

/// Returns the value as text to insert for a symbol; `None` unless it is a number or an angle.
fn inserted<Q: Quantity>(value: Q) -> Option<Text> {
    match value.value() {
        value @ (Value::Number(_) | Value::Degrees(_)) => Some(Text::number(value.text())),
        _ => None,
    }
}

impl<Q: Quantity> Term<Q> {
    /// Returns a term with the same value in every solve.
    pub(super) fn constant(value: Q, text: &str) -> Self {
        let text = Text::number(text.to_owned());
        Self { value, texts: Texts { numeric: inserted(value).map(|_| text.clone()), symbolic: text } }
    }

    /// Returns the result of an operation. If an operand is a vector, a point or a rotation, the text with numbers
    /// shows only the result; if the result is one of these, there is no text with numbers.
    pub(super) fn of(value: Q, form: Form, parts: &[&Texts]) -> Self {
        let symbolic: Vec<&Text> = parts.iter().map(|part| &part.symbolic).collect();
        let numeric: Option<Vec<&Text>> = parts.iter().map(|part| part.numeric.as_ref()).collect();
        let numeric = match value.value() {
            Value::Truth(_) => numeric.map(|parts| form.write(&parts)),
            _ => inserted(value).map(|short| numeric.map_or(short, |parts| form.write(&parts))),
        };
        Self { value, texts: Texts { symbolic: form.write(&symbolic), numeric } }
    }

    /// Returns the value.
    pub fn get(&self) -> Q {
        self.value
    }

    /// Returns the term with its value instead of the text with numbers. Use it if that text would be too long.
    #[must_use]
    pub fn evaluated(self) -> Self {
        Self { texts: Texts { numeric: inserted(self.value), ..self.texts }, ..self }
    }

    pub(super) fn text(&self) -> &str {
        &self.texts.symbolic.text
    }

    /// Returns the text with numbers, if it differs from both the text with symbols and the value.
    pub(super) fn numbers(&self) -> Option<&str> {
        let text = &self.texts.numeric.as_ref()?.text;
        (*text != self.texts.symbolic.text && *text != self.value.value().text()).then_some(text)
    }
}

impl Term<Vec3> {
    /// Returns the point at this vector from the origin.
    pub fn as_point(self) -> Term<Point> {
        Term { value: Point(self.value), texts: self.texts }
    }
}

/// An operator on two quantities. It is implemented only for types with a meaningful result: points can be subtracted,
/// not added.
pub trait Operation<A, B> {
    type Output: Quantity;

    fn apply(a: A, b: B) -> Self::Output;
}

fn binary<O, A: Expression, B: Expression>(form: Form, a: A, b: B) -> Term<O::Output>
where
    O: Operation<A::Quantity, B::Quantity>,
{
    let (a, b) = (a.term(), b.term());
    Term::of(O::apply(a.value, b.value), form, &[&a.texts, &b.texts])
}

macro_rules! operations {
    ($($form:ident = $std:ident::$method:ident {
        $($a:ty, $b:ty => $output:ty: |$x:pat_param, $y:pat_param| $value:expr;)+
    })+) => { $(
        #[derive(Clone, Copy, Debug)]
        pub enum $form {}

        $(impl Operation<$a, $b> for $form {
            type Output = $output;

            fn apply($x: $a, $y: $b) -> $output {
                $value
            }
        })+

        operations!(@on $form = $std::$method [A: Quantity, B: Expression] Term<A>, B => A, B::Quantity);
        operations!(@on $form = $std::$method [A: Quantity, B: Expression] Named<A>, B => A, B::Quantity);
        operations!(@on $form = $std::$method [B: Expression] Degrees, B => Degrees, B::Quantity);
        operations!(@on $form = $std::$method [B: Quantity] f32, Term<B> => f32, B);
        operations!(@on $form = $std::$method [B: Quantity] f32, Named<B> => f32, B);
    )+ };
    (@on $form:ident = $std:ident::$method:ident [$($generics:tt)+] $a:ty, $b:ty => $x:ty, $y:ty) => {
        impl<$($generics)+> $std<$b> for $a
        where
            $form: Operation<$x, $y>,
        {
            type Output = Term<<$form as Operation<$x, $y>>::Output>;

            fn $method(self, other: $b) -> Self::Output {
                binary::<$form, _, _>(Form::$form, self, other)
            }
        }
    };
}

operations! {
    Plus = Add::add {
        f32, f32 => f32: |a, b| a + b;
        Degrees, Degrees => Degrees: |a, b| Degrees(a.0 + b.0);
        Vec3, Vec3 => Vec3: |a, b| a + b;
        Point, Vec3 => Point: |a, b| Point(a.0 + b);
    }
    Minus = Sub::sub {
        f32, f32 => f32: |a, b| a - b;
        Degrees, Degrees => Degrees: |a, b| Degrees(a.0 - b.0);
        Vec3, Vec3 => Vec3: |a, b| a - b;
        Point, Vec3 => Point: |a, b| Point(a.0 - b);
        Point, Point => Vec3: |a, b| a.0 - b.0;
    }
    Times = Mul::mul {
        f32, f32 => f32: |a, b| a * b;
        Degrees, f32 => Degrees: |a, b| Degrees(a.0 * b);
        Vec3, f32 => Vec3: |a, b| a * b;
        f32, Vec3 => Vec3: |a, b| a * b;
        // For weighted sums of points.
        f32, Point => Vec3: |a, b| a * b.0;
        Vec3, Vec3 => f32: |a, b| a.dot(b);
        Quat, Vec3 => Vec3: |a, b| a * b;
        Quat, Quat => Quat: |a, b| a * b;
    }
    Over = Div::div {
        f32, f32 => f32: |a, b| a / b;
        Degrees, Degrees => f32: |a, b| a.0 / b.0;
        Vec3, f32 => Vec3: |a, b| a / b;
    }
}

impl<Q: Quantity + Neg<Output = Q>> Neg for Term<Q> {
    type Output = Self;

    fn neg(self) -> Self {
        Self::of(-self.value, Form::Negative, &[&self.texts])
    }
}

impl<Q: Quantity + Neg<Output = Q>> Neg for Named<Q> {
    type Output = Term<Q>;

    fn neg(self) -> Term<Q> {
        -self.term()
    }
}
