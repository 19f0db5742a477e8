//! Constant expressions of C#: numbers, vectors and rotations with operators, casts, constructors and some of Unity's
//! constants and functions. All values are in the component's left-handed axes.

use glam::{EulerRot, Quat, Vec3};

/// The deepest nesting of parentheses, arguments and casts; each level needs stack.
const DEEPEST: u32 = 32;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    Number(f32),
    Vector(Vec3),
    Rotation(Quat),
}

/// A value within an expression. Whole numbers are kept apart, because C# drops the remainder when it divides them:
/// `1 / 2` is 0.
#[derive(Clone, Copy)]
enum Typed {
    Whole(i32),
    Other(Value),
}

impl Typed {
    fn value(self) -> Value {
        match self {
            Self::Whole(number) => Value::Number(number as f32),
            Self::Other(value) => value,
        }
    }
}

impl From<Value> for Typed {
    fn from(value: Value) -> Self {
        Self::Other(value)
    }
}

struct Parser<'a> {
    rest: &'a str,
    depth: u32,
}

pub fn evaluate(text: &str) -> Result<Value, String> {
    let mut parser = Parser { rest: text.trim(), depth: 0 };
    let value = parser.sum()?.value();
    if !parser.rest.is_empty() {
        return Err(format!("{:?} after the value cannot be read; write the result instead", shortened(parser.rest)));
    }
    let is_finite = match value {
        Value::Number(number) => number.is_finite(),
        Value::Vector(vector) => vector.is_finite(),
        Value::Rotation(turn) => turn.is_finite(),
    };
    if is_finite { Ok(value) } else { Err(format!("{:?} is not finite; write a finite value", shortened(text))) }
}

/// Returns the first 60 characters of a text for messages, with single spaces in place of white space, and with `…` if
/// more follow.
pub fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut letters = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if letters.chars().count() > LONGEST {
        letters = letters.chars().take(LONGEST).chain(['…']).collect();
    }
    letters
}

impl<'a> Parser<'a> {
    fn skips(&mut self, mark: char) -> bool {
        match self.rest.strip_prefix(mark) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, mark: char) -> Result<(), String> {
        match (self.skips(mark), self.rest.trim_end()) {
            (true, _) => Ok(()),
            (false, "") => Err(format!("{mark:?} is missing at the end")),
            (false, rest) => Err(format!("{mark:?} is missing before {:?}", shortened(rest))),
        }
    }

    fn sum(&mut self) -> Result<Typed, String> {
        let mut value = self.product()?;
        loop {
            let sign: i8 = match () {
                () if self.skips('+') => 1,
                () if self.skips('-') => -1,
                () => return Ok(value),
            };
            let next = self.product()?;
            if let (Typed::Whole(a), Typed::Whole(b)) = (value, next) {
                let sum = if sign > 0 { a.checked_add(b) } else { a.checked_sub(b) };
                value = Typed::Whole(sum.ok_or_else(too_large)?);
                continue;
            }
            let sign = f32::from(sign);
            value = match (value.value(), next.value()) {
                (Value::Number(a), Value::Number(b)) => Value::Number(a + sign * b),
                (Value::Vector(a), Value::Vector(b)) => Value::Vector(a + sign * b),
                _ => return Err("a sum or difference needs two numbers or two vectors".to_owned()),
            }
            .into();
        }
    }

    fn product(&mut self) -> Result<Typed, String> {
        let mut value = self.signed()?;
        loop {
            if self.skips('*') {
                let next = self.signed()?;
                if let (Typed::Whole(a), Typed::Whole(b)) = (value, next) {
                    value = Typed::Whole(a.checked_mul(b).ok_or_else(too_large)?);
                    continue;
                }
                value = match (value.value(), next.value()) {
                    (Value::Number(a), Value::Number(b)) => Value::Number(a * b),
                    (Value::Number(a), Value::Vector(b)) | (Value::Vector(b), Value::Number(a)) => Value::Vector(a * b),
                    (Value::Rotation(a), Value::Vector(b)) => Value::Vector(a * b),
                    (Value::Rotation(a), Value::Rotation(b)) => Value::Rotation(a * b),
                    _ => return Err("these two values cannot be multiplied; a product needs two numbers, a number and a vector, or a rotation before a vector or rotation".to_owned()),
                }
                .into();
            } else if self.skips('/') {
                let next = self.signed()?;
                if let (Typed::Whole(a), Typed::Whole(b)) = (value, next) {
                    let divided = a.checked_div(b).ok_or_else(|| {
                        "a whole number is divided by 0, or the quotient exceeds int; change the divisor".to_owned()
                    });
                    value = Typed::Whole(divided?);
                    continue;
                }
                value = match (value.value(), next.value()) {
                    (Value::Number(a), Value::Number(b)) => Value::Number(a / b),
                    (Value::Vector(a), Value::Number(b)) => Value::Vector(a / b),
                    _ => {
                        return Err(
                            "these two values cannot be divided; divide a number or a vector by a number".to_owned()
                        );
                    }
                }
                .into();
            } else {
                return Ok(value);
            }
        }
    }

    fn signed(&mut self) -> Result<Typed, String> {
        let mut is_negative = false;
        loop {
            if self.skips('-') {
                is_negative = !is_negative;
            } else if !self.skips('+') {
                break;
            }
        }
        let value = self.value()?;
        if !is_negative {
            return Ok(value);
        }
        match value {
            Typed::Whole(number) => Ok(Typed::Whole(number.checked_neg().ok_or_else(too_large)?)),
            Typed::Other(Value::Number(number)) => Ok(Value::Number(-number).into()),
            Typed::Other(Value::Vector(vector)) => Ok(Value::Vector(-vector).into()),
            Typed::Other(Value::Rotation(_)) => Err("a rotation cannot have a minus; negate its angle".to_owned()),
        }
    }

    fn value(&mut self) -> Result<Typed, String> {
        if self.rest.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
            return self.number();
        }
        if self.skips('(') {
            let cast = ["float", "double", "int"]
                .into_iter()
                .find_map(|kind| Some((kind, self.rest.strip_prefix(kind)?.trim_start().strip_prefix(')')?)));
            if let Some((kind, rest)) = cast {
                self.rest = rest.trim_start();
                return cast_to(kind, self.nested(Self::signed)?);
            }
            let value = self.nested(Self::sum)?;
            self.expect(')')?;
            return Ok(value);
        }
        let name = self.name();
        let value = match name.as_str() {
            "new" => {
                let kind = self.name();
                self.made(&kind)
            }
            "Quaternion.Euler" => match self.arguments()?[..] {
                [Value::Number(x), Value::Number(y), Value::Number(z)] => {
                    Ok(Value::Rotation(euler(Vec3::new(x, y, z))))
                }
                [Value::Vector(degrees)] => Ok(Value::Rotation(euler(degrees))),
                _ => Err("Quaternion.Euler needs three numbers or a vector".to_owned()),
            },
            "Quaternion.AngleAxis" => match self.arguments()?[..] {
                [Value::Number(degrees), Value::Vector(axis)] => axis
                    .try_normalize()
                    .map(|axis| Value::Rotation(Quat::from_axis_angle(axis, degrees.to_radians())))
                    .ok_or_else(|| "the axis of Quaternion.AngleAxis must be finite and not zero".to_owned()),
                _ => Err("Quaternion.AngleAxis needs a number and a vector".to_owned()),
            },
            _ => constant(&name).ok_or_else(|| match name.is_empty() {
                true if self.rest.is_empty() => "a number, vector or rotation is missing at the end".to_owned(),
                true => format!("{:?} is not a number, vector or rotation", shortened(self.rest)),
                false => format!("{name:?} is not a known constant; write its value"),
            }),
        };
        value.map(Typed::from)
    }

    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T, String>) -> Result<T, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("there are more than {DEEPEST} levels of parentheses or casts; remove some"));
        }
        let value = parse(self);
        self.depth -= 1;
        value
    }

    fn made(&mut self, kind: &str) -> Result<Value, String> {
        let mut numbers = Vec::new();
        for value in self.arguments()? {
            let Value::Number(number) = value else { return Err(format!("new {kind}(…) needs numbers")) };
            numbers.push(number);
        }
        match (kind, &numbers[..]) {
            ("Vector3" | "UnityEngine.Vector3" | "", &[x, y, z]) => Ok(Value::Vector(Vec3::new(x, y, z))),
            ("Vector3" | "UnityEngine.Vector3", &[x, y]) => Ok(Value::Vector(Vec3::new(x, y, 0.0))),
            ("Quaternion" | "UnityEngine.Quaternion" | "", &[x, y, z, w]) => {
                Ok(Value::Rotation(Quat::from_xyzw(x, y, z, w)))
            }
            _ => Err(format!(
                "new {kind}(…) cannot be read; write new Vector3(…) with 2 or 3 numbers, or new Quaternion(…) with 4"
            )),
        }
    }

    fn arguments(&mut self) -> Result<Vec<Value>, String> {
        self.expect('(')?;
        let mut all = Vec::new();
        if self.skips(')') {
            return Ok(all);
        }
        loop {
            let value = self.nested(Self::sum)?;
            all.push(value.value());
            if !self.skips(',') {
                break;
            }
        }
        self.expect(')')?;
        Ok(all)
    }

    /// Takes a name with dots, such as `Vector3.up`; empty if there is none.
    fn name(&mut self) -> String {
        let end = self.rest.find(|letter: char| !(letter.is_alphanumeric() || letter == '_' || letter == '.'));
        let (name, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest.trim_start();
        name.to_owned()
    }

    fn number(&mut self) -> Result<Typed, String> {
        let bytes = self.rest.as_bytes();
        let is_part = |at: usize| {
            let follows_exponent = at > 0 && matches!(bytes[at - 1], b'e' | b'E');
            bytes[at].is_ascii_digit()
                || matches!(bytes[at], b'.' | b'e' | b'E' | b'_')
                || (follows_exponent && matches!(bytes[at], b'+' | b'-'))
        };
        let end = (0..bytes.len()).find(|&at| !is_part(at)).unwrap_or(bytes.len());
        let (digits, rest) = self.rest.split_at(end);
        let number = digits
            .replace('_', "")
            .parse::<f32>()
            .map_err(|_| format!("{digits:?} is not a number, as in 4 or 0.5f"))?;
        let whole = digits.replace('_', "").parse().ok();
        let suffixed = rest.strip_prefix(['f', 'F', 'd', 'D', 'm', 'M']);
        let (rest, whole) = suffixed.map_or((rest, whole), |rest| (rest, None));
        if rest.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_') {
            return Err(format!("{:?} is not a decimal number, as in 4 or 0.5f", shortened(self.rest)));
        }
        self.rest = rest.trim_start();
        Ok(whole.map_or(Value::Number(number).into(), Typed::Whole))
    }
}

fn too_large() -> String {
    "a whole number exceeds int, whose limits are -2147483648 and 2147483647".to_owned()
}

/// Converts a number as a cast of C# does: `(int)1.5f` is 1.
fn cast_to(kind: &str, value: Typed) -> Result<Typed, String> {
    let Value::Number(number) = value.value() else { return Err("only numbers can be cast".to_owned()) };
    match kind {
        "int" if number.abs() < i32::MAX as f32 => Ok(Typed::Whole(number as i32)),
        "int" if number.is_nan() => Err("the number that is cast to int is not defined; write its value".to_owned()),
        "int" => Err(too_large()),
        _ => Ok(Value::Number(number).into()),
    }
}

/// Unity turns around Z, then X, then Y, each in the world's axes.
fn euler(degrees: Vec3) -> Quat {
    let [x, y, z] = degrees.to_array().map(f32::to_radians);
    Quat::from_euler(EulerRot::YXZ, y, x, z)
}

fn constant(name: &str) -> Option<Value> {
    Some(match name.strip_prefix("UnityEngine.").unwrap_or(name) {
        "Vector3.zero" => Value::Vector(Vec3::ZERO),
        "Vector3.one" => Value::Vector(Vec3::ONE),
        "Vector3.up" => Value::Vector(Vec3::Y),
        "Vector3.down" => Value::Vector(Vec3::NEG_Y),
        "Vector3.right" => Value::Vector(Vec3::X),
        "Vector3.left" => Value::Vector(Vec3::NEG_X),
        "Vector3.forward" => Value::Vector(Vec3::Z),
        "Vector3.back" => Value::Vector(Vec3::NEG_Z),
        "Quaternion.identity" => Value::Rotation(Quat::IDENTITY),
        "Mathf.PI" => Value::Number(std::f32::consts::PI),
        "Mathf.Deg2Rad" => Value::Number(1f32.to_radians()),
        "Mathf.Rad2Deg" => Value::Number(1f32.to_degrees()),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constant_expressions_are_evaluated() {
        for (text, value) in [
            ("1.5f", Value::Number(1.5)),
            (".5f + 2 * 3", Value::Number(6.5)),
            ("-(1 - 3d) / 4", Value::Number(0.5)),
            ("(float)1e-1f * 1_000", Value::Number(100.0)),
            ("(int)1.5f", Value::Number(1.0)),
            ("(int)-1.5f + (int)(2.9f * 2)", Value::Number(4.0)),
            ("(int)1.9f * 0.5f", Value::Number(0.5)),
            ("7 / 2", Value::Number(3.0)),
            ("(float)7 / 2", Value::Number(3.5)),
            ("(float)(7 / 2) - -1", Value::Number(4.0)),
            ("Vector3.up * (1 / 2)", Value::Vector(Vec3::ZERO)),
            ("Vector3.up * 1.2f", Value::Vector(Vec3::new(0.0, 1.2, 0.0))),
            ("new Vector3(0, 1f, .5f)", Value::Vector(Vec3::new(0.0, 1.0, 0.5))),
            ("new Vector3 ( 1, 2 ) - Vector3.right", Value::Vector(Vec3::new(0.0, 2.0, 0.0))),
            ("0.5f * new(2, 4, 6) / 2", Value::Vector(Vec3::new(0.5, 1.0, 1.5))),
            ("UnityEngine.Vector3.forward", Value::Vector(Vec3::Z)),
            ("new Quaternion(0, 0, 0, 1f)", Value::Rotation(Quat::IDENTITY)),
        ] {
            assert_eq!(evaluate(text), Ok(value), "{text}");
        }
        // In Unity, Euler(0, 90, 0) turns forward to the right.
        for (text, expected) in [
            ("Quaternion.Euler(0, 90, 0) * Vector3.forward", Vec3::X),
            ("Quaternion.Euler(90f, 0, 0) * Vector3.forward", Vec3::NEG_Y),
            ("Quaternion.Euler(new Vector3(0, 0, 90)) * Vector3.right", Vec3::Y),
            ("Quaternion.Euler(90, 90, 90) * Vector3.right", Vec3::X),
            ("Quaternion.AngleAxis(90, Vector3.up * 2) * Quaternion.Euler(90, 0, 0) * Vector3.up", Vec3::X),
        ] {
            let Ok(Value::Vector(found)) = evaluate(text) else { panic!("{text}: {:?}", evaluate(text)) };
            assert!(found.distance(expected) < 1e-6, "{text}: {found}");
        }
    }

    #[test]
    fn other_expressions_are_refused() {
        let deep = "(".repeat(100_000);
        for (text, says) in [
            ("transform.position", "\"transform.position\" is not a known constant"),
            ("1f / 0f", "is not finite"),
            ("1e99f", "is not finite"),
            ("Vector3.up + 1", "a sum or difference needs"),
            ("Vector3.up * Vector3.up", "cannot be multiplied"),
            ("1 / Vector3.up", "cannot be divided"),
            ("1 / 0", "divided by 0"),
            ("2147483647 + 1", "exceeds int"),
            ("(int)1e10f", "exceeds int"),
            ("(int)(0f / 0f)", "is not defined"),
            ("(int)Vector3.up", "only numbers"),
            ("-Quaternion.identity", "cannot have a minus"),
            ("Quaternion.AngleAxis(90, Vector3.zero)", "finite and not zero"),
            ("Quaternion.Euler(1, 2)", "three numbers or a vector"),
            ("new Vector3(1, 2, 3, 4)", "new Vector3(…) cannot be read"),
            ("new Vector3(1, 2", "')' is missing"),
            ("1.5x", "is not a decimal number"),
            ("1..5", "is not a number"),
            ("1 2", "\"2\" after the value cannot be read"),
            ("", "is missing at the end"),
            (")", "\")\" is not a number, vector or rotation"),
            (&deep, "levels"),
        ] {
            let error = evaluate(text).unwrap_err();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
