//! Checks the texts of formulas: each line must evaluate to its value, with symbols and with numbers. `survivors`
//! plants errors to test this check. The module knows the notation, not the code that writes the texts.

use std::collections::BTreeMap;

use glam::{DQuat, Quat, Vec3};
use kinescope_ik::math;
use kinescope_ik::math::filter::{Lag, chase};
use kinescope_ik::math::swing_angle;
use kinescope_ik::notation::{Curve, Line, Sheet, Symbol, Value};

pub fn text_errors(sheet: &Sheet) -> Vec<String> {
    let lines =
        sheet.lines.iter().flat_map(|line| [text_error(&line.symbolic, line, &sheet.symbols), numeric_error(line)]);
    lines.flatten().chain(sheet.curve.iter().flat_map(|curve| curve_errors(curve, sheet))).collect()
}

fn curve_errors(curve: &Curve, sheet: &Sheet) -> Vec<String> {
    let error_of = |text: &str, y: f32, symbols: &[Symbol]| {
        let line = Line { symbolic: String::new(), numeric: String::new(), value: Value::Number(y) };
        text_error(&format!("y = {text}"), &line, symbols)
    };
    let x = |value: f32| [Symbol { name: "x", values: vec![Value::Number(value)], meaning: String::new() }];
    let [at, y] = curve.at;
    let mut found: Vec<String> = curve
        .courses
        .iter()
        .flat_map(|course| course.points.iter().filter_map(move |&[at, y]| error_of(&course.text, y, &x(at))))
        .chain(error_of(&curve.input, at, &sheet.symbols))
        .chain(error_of(&curve.courses[curve.in_force].text, y, &x(at)))
        .collect();
    let line = &sheet.lines[curve.line];
    if line.value != Value::Number(y) || !line.symbolic.starts_with(&format!("{} = ", curve.name)) {
        found.push(format!("{} is not the line of the curve", line.symbolic));
    }
    if curve
        .courses
        .iter()
        .any(|course| course.points.first() != Some(&[0.0; 2]) || course.points.last() != Some(&[1.0; 2]))
    {
        found.push("a curve does not lead from (0, 0) to (1, 1)".to_owned());
    }
    found
}

fn text_error(text: &str, line: &Line, symbols: &[Symbol]) -> Option<String> {
    let evaluated = evaluated(text, symbols).unwrap_or_else(Err);
    let is_equal = evaluated.as_ref().is_ok_and(|evaluated| evaluated.is_near(&Evaluated::from(line.value)));
    (!is_equal).then(|| format!("{text}: evaluates to {evaluated:?}, not {:?}", line.value))
}

type Outcome = Result<Evaluated, String>;

fn evaluated(text: &str, symbols: &[Symbol]) -> Result<Outcome, String> {
    let scope = Scope { symbols, index: None };
    let (name, sign, right) = split(text)?;
    let right = scope.evaluate(&parse(right)?);
    Ok(match sign {
        "+=" => scope.named(name).and_then(|left| infix('+', left, right?)),
        "−=" => scope.named(name).and_then(|left| infix('−', left, right?)),
        _ => right,
    })
}

fn split(text: &str) -> Result<(&str, &str, &str), String> {
    let (name, rest) = text.split_once(' ').ok_or("no sign")?;
    let (sign, right) = rest.split_once(' ').ok_or("no expression")?;
    if ["=", "+=", "−="].contains(&sign) { Ok((name, sign, right)) } else { Err(format!("{sign} is not a sign")) }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Evaluated {
    /// Angles are in degrees, except for results of `rad`, operands of `cos`, and symbols whose meaning says radians.
    Number(f32),
    Vector(Vec3),
    Turn(Quat),
    Truth(bool),
}

impl From<Value> for Evaluated {
    fn from(value: Value) -> Self {
        match value {
            Value::Number(number) | Value::Degrees(number) => Self::Number(number),
            Value::Vector(vector) | Value::Point(vector) => Self::Vector(vector),
            Value::Rotation(turn) | Value::Orientation(turn) => Self::Turn(turn),
            Value::Bone(bone) => Self::Turn(bone.rotation),
            Value::Truth(truth) => Self::Truth(truth),
        }
    }
}

impl Evaluated {
    /// Returns whether the result agrees with a line's value, `other`, up to the last digits. Infinity and NaN in
    /// `other` agree with any number.
    fn is_near(&self, other: &Self) -> bool {
        const DIGITS: f32 = 4e-6;
        let near = |a: f32, b: f32, size: f32| (a - b).abs() <= size * DIGITS || a == b || !b.is_finite();
        match (*self, *other) {
            (Self::Number(a), Self::Number(b)) => near(a, b, a.abs().max(b.abs())),
            (Self::Vector(a), Self::Vector(b)) => {
                let size = a.abs().max_element().max(b.abs().max_element());
                (0..3).all(|axis| near(a[axis], b[axis], size))
            }
            (Self::Turn(a), Self::Turn(b)) => {
                (0..4).all(|part| near(a.to_array()[part], b.to_array()[part], 1.0))
                    || (0..4).all(|part| near(-a.to_array()[part], b.to_array()[part], 1.0))
            }
            (Self::Truth(a), Self::Truth(b)) => a == b,
            (Self::Number(0.0), Self::Vector(Vec3::ZERO)) => true,
            (Self::Number(1.0), Self::Turn(turn)) => Self::Turn(Quat::IDENTITY).is_near(&Self::Turn(turn)),
            _ => false,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Node {
    Literal(String),
    Name(String),
    Call(String, Vec<Node>),
    Infix(char, Box<[Node; 2]>),
    /// `−`, `√`, `|`, `Σ`, and the postfix signs `²`, `³`, `⁻`.
    Prefix(char, Box<Node>),
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Number(String),
    Name(String),
    Sign(char),
}

fn is_part_of_name(c: char) -> bool {
    (c.is_alphanumeric() && !"¹²³½".contains(c)) || c == '_' || c == '′'
}

/// Returns the tokens of a text, each with whether a space precedes it.
fn tokens(text: &str) -> Vec<(Token, bool)> {
    let chars: Vec<char> = text.chars().collect();
    let (mut tokens, mut at, mut space) = (Vec::new(), 0, false);
    while let Some(&c) = chars.get(at) {
        let begin = at;
        let digits = |mut at: usize| {
            while chars.get(at).is_some_and(|c| c.is_ascii_digit() || *c == '.') {
                at += 1;
            }
            at
        };
        at += 1;
        let token = if c == ' ' {
            space = true;
            continue;
        } else if c.is_ascii_digit() {
            at = digits(at);
            // `1.50e12` is one number, not `1.50` times the name `e12`.
            let exponent = if chars.get(at + 1) == Some(&'−') { at + 2 } else { at + 1 };
            if chars.get(at) == Some(&'e') && chars.get(exponent).is_some_and(char::is_ascii_digit) {
                at = digits(exponent);
            }
            // `1/16` without spaces is one number.
            if chars.get(at) == Some(&'/') && chars.get(at + 1).is_some_and(char::is_ascii_digit) {
                at = digits(at + 1);
            }
            Token::Number(chars[begin..at].iter().collect())
        } else if c == '½' {
            Token::Number("1/2".to_owned())
        } else if c == 'Σ' || !is_part_of_name(c) {
            Token::Sign(c)
        } else {
            while chars.get(at).is_some_and(|&c| is_part_of_name(c)) {
                at += 1;
            }
            Token::Name(chars[begin..at].iter().collect())
        };
        tokens.push((token, std::mem::take(&mut space)));
    }
    tokens
}

struct Parser {
    tokens: Vec<(Token, bool)>,
    at: usize,
}

fn parse(text: &str) -> Result<Node, String> {
    let mut parser = Parser { tokens: tokens(text), at: 0 };
    let mut node = parser.sum()?;
    if parser.takes('<') {
        node = Node::Infix('<', Box::new([node, parser.sum()?]));
    }
    match parser.tokens.get(parser.at) {
        None => Ok(node),
        Some(token) => Err(format!("{token:?} is left over")),
    }
}

impl Parser {
    fn takes(&mut self, sign: char) -> bool {
        let is_next = self.tokens.get(self.at).is_some_and(|(token, _)| *token == Token::Sign(sign));
        self.at += usize::from(is_next);
        is_next
    }

    fn expect(&mut self, sign: char) -> Result<(), String> {
        if self.takes(sign) { Ok(()) } else { Err(format!("no {sign} at {}", self.at)) }
    }

    fn series(&mut self, signs: &[char], operand: fn(&mut Self) -> Result<Node, String>) -> Result<Node, String> {
        let mut node = operand(self)?;
        while let Some(&sign) = signs.iter().find(|&&sign| self.takes(sign)) {
            node = Node::Infix(sign, Box::new([node, operand(self)?]));
        }
        Ok(node)
    }

    fn sum(&mut self) -> Result<Node, String> {
        self.series(&['+', '−'], Self::product)
    }

    fn product(&mut self) -> Result<Node, String> {
        self.series(&['·', '/', '×'], Self::factor)
    }

    fn factor(&mut self) -> Result<Node, String> {
        if self.takes('−') {
            return Ok(Node::Prefix('−', Box::new(self.power()?)));
        }
        // The sum covers the whole product after it.
        if self.takes('Σ') {
            return Ok(Node::Prefix('Σ', Box::new(self.product()?)));
        }
        self.power()
    }

    fn power(&mut self) -> Result<Node, String> {
        if self.takes('√') {
            return Ok(Node::Prefix('√', Box::new(self.atom()?)));
        }
        let mut node = self.atom()?;
        while let Some(&sign) = ['²', '³', '⁻'].iter().find(|&&sign| self.takes(sign)) {
            if sign == '⁻' {
                self.expect('¹')?;
            }
            node = Node::Prefix(sign, Box::new(node));
        }
        Ok(node)
    }

    fn atom(&mut self) -> Result<Node, String> {
        if self.takes('(') {
            let node = self.sum()?;
            return self.expect(')').map(|()| node);
        }
        if self.takes('|') {
            let node = self.sum()?;
            return self.expect('|').map(|()| Node::Prefix('|', Box::new(node)));
        }
        let Some((token, _)) = self.tokens.get(self.at).cloned() else { return Err("ends too early".to_owned()) };
        self.at += 1;
        match token {
            Token::Number(digits) => {
                self.takes('°');
                let number = Node::Literal(digits);
                // A name right after a number is a factor: `2s`.
                match self.tokens.get(self.at).cloned() {
                    Some((Token::Name(name), false)) => {
                        self.at += 1;
                        Ok(Node::Infix('·', Box::new([number, Node::Name(name)])))
                    }
                    _ => Ok(number),
                }
            }
            Token::Name(name) if self.takes('(') => {
                let mut operands = vec![self.sum()?];
                while self.takes(',') {
                    operands.push(self.sum()?);
                }
                self.expect(')').map(|()| Node::Call(name, operands))
            }
            Token::Name(name) => Ok(Node::Name(name)),
            Token::Sign(sign) => Err(format!("{sign} is not a value")),
        }
    }
}

fn literal(digits: &str) -> f64 {
    let number = |digits: &str| digits.replace('−', "-").parse().unwrap_or(f64::NAN);
    match digits.split_once('/') {
        Some((a, b)) => number(a) / number(b),
        None => number(digits),
    }
}

struct Scope<'a> {
    symbols: &'a [Symbol],
    index: Option<usize>,
}

impl Scope<'_> {
    fn values(&self, name: &str) -> &[Value] {
        self.symbols.iter().find(|symbol| symbol.name == name).map_or(&[], |symbol| &symbol.values)
    }

    fn named(&self, name: &str) -> Outcome {
        match (self.values(name), self.index) {
            ([value], _) => Ok((*value).into()),
            (values, Some(index)) if index < values.len() => Ok(values[index].into()),
            _ => Err(format!("{name} has no value")),
        }
    }

    /// Returns the length of the longest list of two or more values that `node` names; 0 if it names none.
    fn parts(&self, node: &Node) -> usize {
        match node {
            Node::Literal(_) => 0,
            Node::Name(name) => Some(self.values(name).len()).filter(|&parts| parts > 1).unwrap_or(0),
            Node::Call(_, operands) => operands.iter().map(|node| self.parts(node)).max().unwrap_or(0),
            Node::Infix(_, operands) => operands.iter().map(|node| self.parts(node)).max().unwrap_or(0),
            Node::Prefix(_, operand) => self.parts(operand),
        }
    }

    fn evaluate(&self, node: &Node) -> Outcome {
        match node {
            Node::Literal(digits) => Ok(Evaluated::Number(literal(digits) as f32)),
            Node::Name(name) => self.named(name),
            Node::Infix(sign, operands) => infix(*sign, self.evaluate(&operands[0])?, self.evaluate(&operands[1])?),
            Node::Prefix('Σ', operand) => {
                let parts = 0..self.parts(operand).max(1);
                let parts = parts.map(|index| Scope { symbols: self.symbols, index: Some(index) }.evaluate(operand));
                parts.reduce(|sum, part| infix('+', sum?, part?)).unwrap_or_else(|| Err("an empty sum".to_owned()))
            }
            Node::Prefix(sign, operand) => prefix(*sign, self.evaluate(operand)?),
            Node::Call(name, operands) => {
                let operands: Result<Vec<Evaluated>, String> =
                    operands.iter().map(|node| self.evaluate(node)).collect();
                call(name, &operands?)
            }
        }
    }
}

fn infix(sign: char, a: Evaluated, b: Evaluated) -> Outcome {
    use Evaluated::{Number, Truth, Turn, Vector};
    Ok(match (sign, a, b) {
        ('+', Number(a), Number(b)) => Number(a + b),
        ('+', Vector(a), Vector(b)) => Vector(a + b),
        ('−', Number(a), Number(b)) => Number(a - b),
        ('−', Vector(a), Vector(b)) => Vector(a - b),
        ('·', Number(a), Number(b)) => Number(a * b),
        ('·', Vector(a), Number(b)) | ('·', Number(b), Vector(a)) => Vector(a * b),
        ('·', Vector(a), Vector(b)) => Number(a.x * b.x + a.y * b.y + a.z * b.z),
        ('·', Turn(a), Vector(b)) => Vector(a * b),
        ('·', Turn(a), Turn(b)) => Turn(a * b),
        ('/', Number(a), Number(b)) => Number(a / b),
        ('/', Vector(a), Number(b)) => Vector(a / b),
        ('×', Vector(a), Vector(b)) => {
            Vector(Vec3::new(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x))
        }
        ('<', Number(a), Number(b)) => Truth(a < b),
        _ => return Err(format!("{a:?} {sign} {b:?}")),
    })
}

fn prefix(sign: char, a: Evaluated) -> Outcome {
    use Evaluated::{Number, Turn, Vector};
    Ok(match (sign, a) {
        ('−', Number(a)) => Number(-a),
        ('−', Vector(a)) => Vector(-a),
        ('√', Number(a)) => Number(a.sqrt()),
        ('|', Number(a)) => Number(a.abs()),
        ('|', Vector(a)) => Number(math::length(a)),
        ('|', Turn(a)) => Number(swing_angle(a).to_degrees()),
        ('²', Number(a)) => Number(a * a),
        ('³', Number(a)) => Number(a * a * a),
        ('⁻', Turn(a)) => Turn(a.inverse()),
        _ => return Err(format!("{sign}{a:?}")),
    })
}

fn call(name: &str, operands: &[Evaluated]) -> Outcome {
    use Evaluated::{Number, Turn, Vector};
    let numbers = operands.iter().map(|operand| match operand {
        Number(number) => Some(*number),
        _ => None,
    });
    Ok(match (name, operands) {
        ("about", &[Vector(axis), Number(by)]) => Turn(Quat::from_axis_angle(axis, by.to_radians())),
        ("acos", &[Number(x)]) => Number(x.clamp(-1.0, 1.0).acos().to_degrees()),
        ("across", &[Vector(v), Vector(normal)]) => Vector(math::ortho_normalize(normal, v)),
        ("angle", &[Vector(a), Vector(b)]) => Number(math::angle(a, b).to_degrees()),
        ("arc", &[Vector(from), Vector(to), Number(part)]) => {
            let [from, to] = [from, to].map(|turn| DQuat::from_scaled_axis(turn.as_dvec3()));
            let (part, cosine) = (f64::from(part), from.dot(to));
            let angle = cosine.abs().min(1.0).acos();
            let weights =
                if angle < 1e-6 { [1.0 - part, part] } else { [(1.0 - part) * angle, part * angle].map(f64::sin) };
            Vector((from * weights[0] + to * (weights[1] * cosine.signum())).normalize().to_scaled_axis().as_vec3())
        }
        ("chase", &[Number(x), Number(from), Number(to), Number(speed), Number(dt)]) => {
            Number(chase(x, from, to, speed, speed, dt))
        }
        ("clamp", &[Number(x), Number(least), Number(most)]) => Number(if x < least {
            least
        } else if x > most {
            most
        } else {
            x
        }),
        ("cos", &[Number(x)]) => Number(x.cos()),
        ("envelope", &[Number(age), Number(attack), Number(hold), Number(release)]) => {
            Number(rise(age, attack) * (1.0 - rise(age - attack - hold, release)))
        }
        ("exp", &[Number(x)]) => Number(x.exp()),
        ("flat", &[Vector(v), Vector(normal)]) => {
            let in_plane = |v: Vec3| (v - normal * normal.dot(v)).normalize_or_zero();
            let direction = v.normalize_or_zero();
            let is_upright = direction.cross(normal).length_squared() <= 1e-6;
            Vector(if is_upright { Vec3::ZERO } else { in_plane(in_plane(direction)) * v.length() })
        }
        ("ln", &[Number(x)]) => Number(x.ln()),
        ("max", _) if numbers.clone().all(|number| number.is_some()) => {
            Number(numbers.flatten().reduce(f32::max).unwrap_or(f32::NAN))
        }
        ("mean", &[Number(x)]) => Number(Lag::new(x, 1.0).mean()),
        ("min", _) if numbers.clone().all(|number| number.is_some()) => {
            Number(numbers.flatten().reduce(f32::min).unwrap_or(f32::NAN))
        }
        ("held", &[Vector(v), Vector(about), Number(most)]) => {
            Vector(math::clamp_direction(v, about, 1.0 - most / 180.0, 2).0)
        }
        ("impulse", &[Number(age), Number(attack), Number(release)]) => {
            Number(rise(age, attack) * (1.0 - rise(age - attack, release)))
        }
        ("part", &[Turn(turn), Number(of)]) => {
            let (axis, angle) = turn.to_axis_angle();
            Turn(Quat::from_axis_angle(axis, angle * of))
        }
        ("nlerp", &[Number(1.0), b, weight]) => return call(name, &[Turn(Quat::IDENTITY), b, weight]),
        ("nlerp", &[Turn(a), Turn(b), Number(weight)]) => Turn(math::nlerp(a, b, weight)),
        ("triangle", &[Vector(a), Vector(b), Vector(c)]) => Turn(kinescope_ik::math::plane_rotation([a, b, c])),
        ("rad", &[Number(angle)]) => Number(angle.to_radians()),
        ("sin", &[Number(degrees)]) => Number(degrees.to_radians().sin()),
        ("slerp", &[Vector(a), Vector(b), Number(share)]) => Vector(math::slerp_vector(a, b, share)),
        ("shorten", &[Vector(v), Number(most)]) => Vector(if v.length() > most { v * (most / v.length()) } else { v }),
        ("turn", &[Vector(from), Vector(to)]) => Turn(math::from_to_rotation(from, to)),
        ("twist", &[Vector(from), Vector(to), Vector(axis)]) => Turn(math::from_to_about_axis(from, to, axis)),
        ("unit", &[Vector(v)]) => Vector(math::unit_or_zero(v)),
        _ => return Err(format!("{name}{operands:?}")),
    })
}

/// Returns the error in a line's text with numbers. The text must end with the value, and the expression before the
/// value must agree with it as far as its rounded numbers allow. A text without an expression, or with "too large" in
/// it, has nothing to compare.
fn numeric_error(line: &Line) -> Option<String> {
    let shown = line.value.text();
    let rest = line.numeric.strip_prefix("= ").and_then(|text| text.strip_suffix(&shown));
    let Some(rest) = rest else { return Some(format!("{} does not end in {shown}", line.numeric)) };
    let expression = rest.strip_suffix(" = ").filter(|_| !rest.contains("too large"))?;
    let exact: Vec<String> = tokens(&line.symbolic).into_iter().filter_map(|(token, _)| number_of(token)).collect();
    let range = parse(expression).and_then(|node| range(&node, &exact));
    let is_equal = match (&range, line.value) {
        (Ok(Range(low, high)), Value::Truth(truth)) => {
            if truth {
                *high > 0.0
            } else {
                *low < 1.0
            }
        }
        (Ok(Range(low, high)), _) => {
            let Ok(Range(least, most)) = parse(shown.trim_end_matches('°')).and_then(|node| range_of_shown(&node))
            else {
                return Some(format!("{shown} is not a number"));
            };
            let slack = 1e-5 * least.abs().max(most.abs()).max(1e-6);
            *low <= most + slack && *high >= least - slack
        }
        (Err(_), _) => false,
    };
    (!is_equal).then(|| format!("{}: evaluates to {range:?}; {}", line.numeric, line.symbolic))
}

fn number_of(token: Token) -> Option<String> {
    if let Token::Number(digits) = token { Some(digits) } else { None }
}

fn range_of_shown(node: &Node) -> Result<Range, String> {
    range(node, &[])
}

/// The range of results of an expression of rounded numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Range(f64, f64);

impl Range {
    const ALL: Self = Self(f64::NEG_INFINITY, f64::INFINITY);

    fn of(ends: impl IntoIterator<Item = f64>) -> Self {
        let ends: Vec<f64> = ends.into_iter().collect();
        if ends.iter().any(|end| end.is_nan()) {
            return Self::ALL;
        }
        let (low, high) =
            (ends.iter().copied().fold(f64::INFINITY, f64::min), ends.into_iter().fold(f64::NEG_INFINITY, f64::max));
        Self(low, high)
    }

    fn map(self, of: impl Fn(f64) -> f64) -> Self {
        Self::of([of(self.0), of(self.1)])
    }

    fn with(self, other: Self, of: impl Fn(f64, f64) -> f64) -> Self {
        Self::of([of(self.0, other.0), of(self.0, other.1), of(self.1, other.0), of(self.1, other.1)])
    }
}

fn range(node: &Node, exact: &[String]) -> Result<Range, String> {
    let of = |node: &Node| range(node, exact);
    Ok(match node {
        Node::Literal(digits) if exact.contains(digits) => Range(literal(digits), literal(digits)),
        Node::Literal(digits) => {
            let (mantissa, exponent) = digits.split_once('e').unwrap_or((digits, "0"));
            let decimals = mantissa.split_once('.').map_or(0, |(_, decimals)| decimals.len());
            let half = 0.5 * 10f64.powf(literal(exponent) - decimals as f64);
            Range(literal(digits) - half, literal(digits) + half)
        }
        Node::Infix(sign, operands) => {
            let (a, b) = (of(&operands[0])?, of(&operands[1])?);
            match sign {
                '+' => a.with(b, |a, b| a + b),
                '−' => a.with(b, |a, b| a - b),
                '·' => a.with(b, |a, b| a * b),
                '/' if b.0 <= 0.0 && b.1 >= 0.0 => Range::ALL,
                '/' => a.with(b, |a, b| a / b),
                '<' => Range::of([f64::from(a.1 < b.0), f64::from(a.0 < b.1)]),
                _ => return Err(format!("{sign} between numbers")),
            }
        }
        Node::Prefix(sign, operand) => {
            let a = of(operand)?;
            let spans_zero = if a.0 <= 0.0 && a.1 >= 0.0 { 0.0 } else { a.0.abs().min(a.1.abs()) };
            let size = Range(spans_zero, a.0.abs().max(a.1.abs()));
            match sign {
                '−' => a.map(|a| -a),
                '√' => a.map(|a| a.max(0.0).sqrt()),
                '|' => size,
                '²' => size.map(|a| a * a),
                '³' => a.map(|a| a * a * a),
                _ => return Err(format!("{sign} of a number")),
            }
        }
        Node::Call(name, operands) => {
            let operands: Result<Vec<Range>, String> = operands.iter().map(of).collect();
            match (name.as_str(), operands?.as_slice()) {
                ("clamp", &[x, least, most]) => x.with(least, f64::max).with(most, f64::min),
                ("max", ranges) => ranges.iter().copied().reduce(|a, b| a.with(b, f64::max)).unwrap_or(Range::ALL),
                ("min", ranges) => ranges.iter().copied().reduce(|a, b| a.with(b, f64::min)).unwrap_or(Range::ALL),
                ("exp", &[x]) => x.map(f64::exp),
                ("ln", &[x]) => x.map(|x| x.max(0.0).ln()),
                ("acos", &[x]) => x.map(|x| x.clamp(-1.0, 1.0).acos().to_degrees()),
                ("rad", &[x]) => x.map(f64::to_radians),
                ("mean", &[x]) => x.map(|x| Lag::new(x as f32, 1.0).mean().into()),
                ("sin", &[degrees]) => {
                    let Range(low, high) = degrees.map(f64::to_radians);
                    Range(low.sin() - (high - low), low.sin() + (high - low))
                }
                // The slope of a cosine is at most 1, so it changes by no more than the angle does.
                ("cos", &[Range(low, high)]) => Range(low.cos() - (high - low), low.cos() + (high - low)),
                (name, operands) => return Err(format!("{name} of {} numbers", operands.len())),
            }
        }
        Node::Name(name) => return Err(format!("{name} is not a number")),
    })
}

/// Plants errors in the lines of formulas. Returns the planted errors that the check missed in every formula with the
/// line, and the number of planted errors.
pub fn survivors(formulas: impl IntoIterator<Item = Sheet>) -> (Vec<String>, usize) {
    let mut planted: BTreeMap<String, bool> = BTreeMap::new();
    for formula in formulas {
        for line in &formula.lines {
            for (wrong, text) in mutants(&line.symbolic, &formula.symbols) {
                let is_caught = text_error(&text, line, &formula.symbols).is_some();
                *planted.entry(format!("{wrong}: {}", line.symbolic)).or_default() |= is_caught;
            }
            for (wrong, numeric) in mutants(&line.numeric, &[]) {
                let is_caught = numeric_error(&Line { numeric, ..line.clone() }).is_some();
                let wrong = wrong.split(' ').next().unwrap_or_default();
                *planted.entry(format!("{wrong} between numbers: {}", line.symbolic)).or_default() |= is_caught;
            }
        }
    }
    let survivors = planted.iter().filter(|(_, is_caught)| !**is_caught).map(|(mutant, _)| mutant.clone()).collect();
    (survivors, planted.len())
}

/// Returns copies of a line's text, each with a description of the one error in it: another operator, a missing pair of
/// parentheses, power or root, or another symbol of the same kind with another value.
fn mutants(text: &str, symbols: &[Symbol]) -> Vec<(String, String)> {
    const SWAPPED: [(char, char); 6] = [('+', '−'), ('−', '+'), ('·', '/'), ('/', '·'), ('×', '·'), ('<', '+')];
    let Some(begin) = text.find("= ").map(|at| at + 2) else { return Vec::new() };
    let (left, right) = text.split_at(begin);
    let chars: Vec<char> = right.chars().collect();
    let mut mutants = Vec::new();
    let mut add = |wrong: String, right: String| mutants.push((wrong, format!("{left}{right}")));
    let without = |places: &[usize]| -> String {
        chars.iter().enumerate().filter(|(at, _)| !places.contains(at)).map(|(_, c)| c).collect()
    };
    let mut open = Vec::new();
    for (at, &c) in chars.iter().enumerate() {
        let is_sign = chars.get(at + 1) == Some(&' ') && at > 0 && chars[at - 1] == ' ';
        if let Some(&(_, swapped)) = SWAPPED.iter().find(|&&(sign, _)| sign == c && is_sign) {
            let mut chars = chars.clone();
            chars[at] = swapped;
            add(format!("{c} at {at}"), chars.into_iter().collect());
        }
        match c {
            '²' | '³' | '√' => add(format!("{c} at {at}"), without(&[at])),
            '(' => open.push(at),
            ')' => {
                if let Some(from) = open.pop().filter(|&from| from == 0 || !is_part_of_name(chars[from - 1])) {
                    add(format!("( at {from}"), without(&[from, at]));
                }
            }
            _ => {}
        }
    }
    for word in right.split(|c| !is_part_of_name(c)).filter(|word| !word.is_empty()) {
        let single = |symbol: &&Symbol| symbol.values.len() == 1;
        let Some(own) = symbols.iter().find(|symbol| symbol.name == word).filter(single) else { continue };
        let kind = |symbol: &Symbol| std::mem::discriminant(&Evaluated::from(symbol.values[0]));
        let is_other = |symbol: &&Symbol| kind(symbol) == kind(own) && symbol.values != own.values;
        let at = word.as_ptr() as usize - right.as_ptr() as usize;
        for other in symbols.iter().filter(single).filter(is_other) {
            let wrong = format!("{word} at {at}");
            add(wrong, format!("{}{}{}", &right[..at], other.name, &right[at + word.len()..]));
        }
    }
    mutants
}

fn rise(age: f32, seconds: f32) -> f32 {
    let x = if seconds > 0.0 { (age / seconds).clamp(0.0, 1.0) } else { f32::from(u8::from(age >= 0.0)) };
    x * x * (3.0 - 2.0 * x)
}
