//! Property tests that share one runner.
//!
//! `proptest!` compiles proptest's runner again for every test, because the runner is generic over strategy, values and
//! body: 2500 lines of LLVM IR per test. `property!` takes the same syntax and boxes all three. Random numbers,
//! shrinking and messages are those of `proptest!`.

use std::any::Any;
use std::fmt::{self, Debug, Formatter};

use proptest::prelude::*;
use proptest::strategy::{NewTree, ValueTree};
use proptest::test_runner::{Reason, TestCaseResult, TestRunner, contextualize_config};

/// The value of an argument.
pub trait Value: Any + Debug {}

impl<T: Any + Debug> Value for T {}

/// A value tree that boxes its values.
struct Boxed<T>(T);

impl<T: ValueTree<Value: 'static>> ValueTree for Boxed<T> {
    type Value = Box<dyn Value>;

    fn current(&self) -> Box<dyn Value> {
        Box::new(self.0.current())
    }

    fn simplify(&mut self) -> bool {
        self.0.simplify()
    }

    fn complicate(&mut self) -> bool {
        self.0.complicate()
    }
}

type Tree = Box<dyn ValueTree<Value = Box<dyn Value>>>;

/// A strategy of any type. proptest's `BoxedStrategy` also compiles the unused `Debug` of every strategy.
trait Generate {
    fn tree(&self, runner: &mut TestRunner) -> Result<Tree, Reason>;
}

impl<S: Strategy<Value: 'static, Tree: 'static>> Generate for S {
    fn tree(&self, runner: &mut TestRunner) -> Result<Tree, Reason> {
        Ok(Box::new(Boxed(self.new_tree(runner)?)))
    }
}

/// The strategy of an argument.
pub struct Argument(Box<dyn Generate>);

impl Argument {
    fn new(strategy: impl Strategy<Value: 'static, Tree: 'static> + 'static) -> Self {
        Self(Box::new(strategy))
    }
}

impl Debug for Argument {
    fn fmt(&self, to: &mut Formatter) -> fmt::Result {
        to.write_str("Argument")
    }
}

impl Strategy for Argument {
    type Tree = Tree;
    type Value = Box<dyn Value>;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        self.0.tree(runner)
    }
}

/// Strategies of the arguments of a test: a tuple.
pub trait Arguments {
    type Values;
    fn boxed(self) -> Vec<Argument>;
    /// Returns values of the boxed strategies as a tuple.
    fn unboxed(values: Vec<Box<dyn Value>>) -> Self::Values;
}

macro_rules! arguments {
    ($($name:ident)+) => {
        impl<$($name: Strategy<Value: 'static, Tree: 'static> + 'static),+> Arguments for ($($name,)+) {
            type Values = ($($name::Value,)+);

            #[allow(non_snake_case, reason = "a variable is named after its type")]
            fn boxed(self) -> Vec<Argument> {
                let ($($name,)+) = self;
                vec![$(Argument::new($name)),+]
            }

            fn unboxed(values: Vec<Box<dyn Value>>) -> Self::Values {
                let mut values = values.into_iter();
                ($(unboxed::<$name::Value>(values.next()),)+)
            }
        }
    };
}

arguments!(A);
arguments!(A B);
arguments!(A B C);
arguments!(A B C D);
arguments!(A B C D E);
arguments!(A B C D E F);
arguments!(A B C D E F G);
arguments!(A B C D E F G H);
arguments!(A B C D E F G H I);
arguments!(A B C D E F G H I J);

fn unboxed<T: 'static>(value: Option<Box<dyn Value>>) -> T {
    let value: Option<Box<dyn Any>> = value.map(|value| value as _);
    *value.unwrap().downcast().unwrap()
}

/// Values of the arguments of a test, with the names that a failure prints.
struct Case {
    names: &'static [&'static str],
    values: Vec<Box<dyn Value>>,
}

impl Debug for Case {
    fn fmt(&self, to: &mut Formatter) -> fmt::Result {
        for (index, (name, value)) in self.names.iter().zip(&self.values).enumerate() {
            write!(to, "{}{name} = ", if index == 0 { "" } else { ", " })?;
            Debug::fmt(&**value, to)?;
        }
        Ok(())
    }
}

/// A property test without strategies and body.
pub struct Property {
    pub name: &'static str,
    pub file: &'static str,
    pub arguments: &'static [&'static str],
    pub config: ProptestConfig,
}

impl Property {
    #[track_caller]
    pub fn check<A: Arguments>(self, strategies: A, body: impl Fn(A::Values) -> TestCaseResult) {
        self.check_boxed(strategies.boxed(), &|values| body(A::unboxed(values)));
    }

    #[track_caller]
    fn check_boxed(self, strategies: Vec<Argument>, body: &dyn Fn(Vec<Box<dyn Value>>) -> TestCaseResult) {
        let mut config = contextualize_config(self.config);
        (config.test_name, config.source_file) = (Some(self.name), Some(self.file));
        let mut runner = TestRunner::new(config);
        let names = self.arguments;
        let cases = strategies.prop_map(move |values| Case { names, values });
        if let Err(error) = runner.run(&cases, |case| body(case.values)) {
            panic!("{error}\n{runner}");
        }
    }
}

/// Declares property tests, with the syntax of `proptest!`.
macro_rules! property {
    (
        #![proptest_config($config:expr)]
        $($(#[$meta:meta])* fn $name:ident($($argument:pat in $strategy:expr),+ $(,)?) $body:block)*
    ) => {
        $(
            $(#[$meta])*
            fn $name() {
                let property = $crate::common::property::Property {
                    name: concat!(module_path!(), "::", stringify!($name)),
                    file: file!(),
                    arguments: &[$(stringify!($argument)),+],
                    config: $config,
                };
                property.check(($($strategy,)+), |($($argument,)+)| {
                    $body
                    Ok(())
                });
            }
        )*
    };
    ($(#[$meta:meta])* fn $($tests:tt)+) => {
        $crate::common::property::property! {
            #![proptest_config(proptest::prelude::ProptestConfig::default())]
            $(#[$meta])* fn $($tests)+
        }
    };
}
pub(crate) use property;
