//! A deserializer that notes the path of an error, and reads structures from objects only.
//!
//! By default, serde also reads structures from lists of their fields in declaration order. The meaning of such a file
//! could change with every new field.

use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use crate::error::Fault;

/// Reads a value.
///
/// # Errors
/// [`Fault`] with the path of the field, and with line and column if the parser knows them.
pub(super) fn read<'de, T: Deserialize<'de>>(
    parser: impl Deserializer<'de, Error = serde_json::Error>,
) -> Result<T, Fault> {
    let path = Path::default();
    T::deserialize(Reader { inner: parser, path: &path }).map_err(|error| Fault::of_parser(&path.0.take(), &error))
}

/// The path of an error, such as `frames[3].hash`; empty until an error occurs.
#[derive(Default)]
struct Path(RefCell<String>);

/// A place within an object or a list.
#[derive(Clone, Copy)]
enum Part<'a> {
    Field(&'a str),
    Entry(usize),
    /// Where the name of a field should be.
    Unknown,
}

impl Path {
    /// Puts a part before the path, and returns the error.
    fn add<E>(&self, part: Part, error: E) -> E {
        self.put_before(part);
        error
    }

    fn put_before(&self, part: Part) {
        let inner = self.0.take();
        let dot = if inner.is_empty() || inner.starts_with('[') { "" } else { "." };
        self.0.replace(match part {
            Part::Field(name) => format!("{name}{dot}{inner}"),
            Part::Entry(index) => format!("[{index}]{dot}{inner}"),
            Part::Unknown => format!("?{dot}{inner}"),
        });
    }
}

/// Wraps any part of serde's reading, so that structures within are read from objects only, and the parts that contain an
/// error are added to the path.
struct Reader<'p, T> {
    inner: T,
    path: &'p Path,
}

impl<'p, T> Reader<'p, T> {
    fn with<U>(&self, inner: U) -> Reader<'p, U> {
        Reader { inner, path: self.path }
    }
}

macro_rules! forward {
    ($($method:ident($($name:ident: $type:ty),*))+) => {
        $(fn $method<V: Visitor<'de>>(self, $($name: $type,)* visitor: V) -> Result<V::Value, D::Error> {
            let visitor = self.with(visitor);
            self.inner.$method($($name,)* visitor)
        })+
    };
}

/// Forwards to a method for values that contain no others.
macro_rules! forward_plain {
    ($($method:ident)+) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            self.inner.$method(visitor)
        })+
    };
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Reader<'_, D> {
    type Error = D::Error;

    forward_plain! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128 deserialize_u8
        deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128 deserialize_f32 deserialize_f64 deserialize_char
        deserialize_str deserialize_string deserialize_unit deserialize_identifier deserialize_ignored_any
    }

    forward! {
        deserialize_any()
        deserialize_bytes()
        deserialize_byte_buf()
        deserialize_option()
        deserialize_unit_struct(name: &'static str)
        deserialize_newtype_struct(name: &'static str)
        deserialize_seq()
        deserialize_tuple(count: usize)
        deserialize_tuple_struct(name: &'static str, count: usize)
        deserialize_map()
        deserialize_enum(name: &'static str, variants: &'static [&'static str])
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.deserialize_map(visitor)
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

macro_rules! visit {
    ($($method:ident($value:ty))+) => {
        $(fn $method<E: Error>(self, value: $value) -> Result<V::Value, E> {
            self.inner.$method(value)
        })+
    };
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Reader<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.inner.expecting(f)
    }

    visit! {
        visit_bool(bool) visit_i8(i8) visit_i16(i16) visit_i32(i32) visit_i64(i64) visit_i128(i128) visit_u8(u8) visit_u16(u16)
        visit_u32(u32) visit_u64(u64) visit_u128(u128) visit_f32(f32) visit_f64(f64) visit_char(char) visit_str(&str)
        visit_borrowed_str(&'de str) visit_string(String) visit_bytes(&[u8]) visit_borrowed_bytes(&'de [u8])
        visit_byte_buf(Vec<u8>)
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_none()
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        let deserializer = self.with(deserializer);
        self.inner.visit_some(deserializer)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        let deserializer = self.with(deserializer);
        self.inner.visit_newtype_struct(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<V::Value, A::Error> {
        let list = List { reader: self.with(list), next: 0 };
        self.inner.visit_seq(list)
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<V::Value, A::Error> {
        let fields = Fields { reader: self.with(fields), name: Cow::Borrowed("") };
        self.inner.visit_map(fields)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, value: A) -> Result<V::Value, A::Error> {
        let value = self.with(value);
        self.inner.visit_enum(value)
    }
}

/// A value within another. If it has an error, `part` is added to the path.
struct Inner<'a, S> {
    reader: Reader<'a, S>,
    part: Part<'a>,
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Inner<'_, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        let Reader { inner, path } = self.reader;
        inner.deserialize(Reader { inner: deserializer, path }).map_err(|error| path.add(self.part, error))
    }
}

struct List<'p, A> {
    reader: Reader<'p, A>,
    next: usize,
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for List<'_, A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        let seed = Inner { reader: self.reader.with(seed), part: Part::Entry(self.next) };
        self.next += 1;
        self.reader.inner.next_element_seed(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        self.reader.inner.size_hint()
    }
}

struct Fields<'de, 'p, A> {
    reader: Reader<'p, A>,
    /// The name of the last field that was read.
    name: Cow<'de, str>,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Fields<'de, '_, A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        let Reader { inner, path } = &mut self.reader;
        let Some(name) = inner.next_key_seed(Name).map_err(|error| path.add(Part::Unknown, error))? else {
            return Ok(None);
        };
        self.name = name;
        let name = Key(&self.name, PhantomData);
        seed.deserialize(name).map(Some).map_err(|error| path.add(Part::Field(&self.name), error))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        let seed = Inner { reader: self.reader.with(seed), part: Part::Field(&self.name) };
        self.reader.inner.next_value_seed(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        self.reader.inner.size_hint()
    }
}

impl<'de, 'p, A: EnumAccess<'de>> EnumAccess<'de> for Reader<'p, A> {
    type Error = A::Error;
    type Variant = Variant<'de, 'p, A::Variant>;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self::Variant), A::Error> {
        let Self { inner, path } = self;
        let (name, inner) = inner.variant_seed(Name)?;
        let value = seed.deserialize(Key(&name, PhantomData))?;
        Ok((value, Variant { reader: Reader { inner, path }, name }))
    }
}

/// The content of an enum's variant.
struct Variant<'de, 'p, A> {
    reader: Reader<'p, A>,
    name: Cow<'de, str>,
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Variant<'de, '_, A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        let Reader { inner, path } = self.reader;
        inner.unit_variant().map_err(|error| path.add(Part::Field(&self.name), error))
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, A::Error> {
        let Reader { inner, path } = self.reader;
        let seed = Inner { reader: Reader { inner: seed, path }, part: Part::Field(&self.name) };
        inner.newtype_variant_seed(seed)
    }

    fn tuple_variant<V: Visitor<'de>>(self, count: usize, visitor: V) -> Result<V::Value, A::Error> {
        let Reader { inner, path } = self.reader;
        let visitor = Reader { inner: visitor, path };
        inner.tuple_variant(count, visitor).map_err(|error| path.add(Part::Field(&self.name), error))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, A::Error> {
        self.newtype_variant_seed(Object(visitor))
    }
}

/// The fields of a variant, read as an object.
struct Object<V>(V);

impl<'de, V: Visitor<'de>> DeserializeSeed<'de> for Object<V> {
    type Value = V::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        deserializer.deserialize_map(self.0)
    }
}

/// Reads the name of a field or of a variant.
struct Name;

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Cow<'de, str>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Name {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_borrowed_str<E: Error>(self, name: &'de str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Borrowed(name))
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Owned(name.to_owned()))
    }
}

/// A name that was read. Maps with indices as keys read the index from it.
struct Key<'a, E>(&'a str, PhantomData<E>);

impl<'de, E: Error> Deserializer<'de> for Key<'_, E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_str(self.0)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, E> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, E> {
        visitor.visit_enum(self.0.into_deserializer())
    }

    /// Reads an index only in its usual form: with leading zeros, two keys could have the same meaning.
    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.0.parse() {
            Ok(index) if u64::to_string(&index) == self.0 => visitor.visit_u64(index),
            _ => visitor.visit_str(self.0),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u128 f32 f64 char str string bytes byte_buf option unit unit_struct seq tuple tuple_struct
        map struct identifier ignored_any
    }
}
