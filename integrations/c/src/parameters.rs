//! The numeric settings of all layers of a stack, by their paths in presets.

use std::ffi::c_char;

use kinescope_library::stack::parameters::{ParameterId, Tunable};

use crate::stack::KinescopeStack;
use crate::sweeps::parameter;
use crate::{KinescopeStatus, Refused, exclusive, guard, look, object, object_mut, write_text_or_none};

/// Returns a parameter that the stack has.
///
/// # Safety
/// The pointer follows the rules of [`KinescopeStatus`].
unsafe fn found(stack: &KinescopeStack, path: *const c_char) -> Result<ParameterId, Refused> {
    let found = unsafe { parameter(path, "parameter") }?;
    match stack.stack.of(found.owner) {
        Some(_) => Ok(found),
        None => Err(Refused::argument(format!("parameter: is {}; the stack has no such part", found.path()))),
    }
}

/// Returns the number of numeric settings of a stack: those of the full body, of grounding and of the other layers, and
/// of all chains and modifiers that the stack has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_stack_parameters(stack: *const KinescopeStack) -> usize {
    look(0, || Ok(ParameterId::all(&unsafe { object(stack, "stack") }?.stack).count()))
}

/// Writes the path of a numeric setting by its index, such as `chains.left_arm.pull`, into a buffer as kinescope_settings_to_preset
/// does. Returns KINESCOPE_STATUS_NOTHING_TO_DO, with a `needed` of 0, if there is no such setting.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_stack_parameter(
    stack: *const KinescopeStack,
    index: usize,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(stack, "stack") }?;
        let path = ParameterId::all(&own.stack).nth(index).map(ParameterId::path);
        unsafe { write_text_or_none(path.as_deref(), buffer, capacity, needed) }
    })
}

/// Stores the value of a numeric setting by its path.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_stack_get_parameter(
    stack: *const KinescopeStack,
    parameter: *const c_char,
    value: *mut f32,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(stack, "stack") }?;
        let value = unsafe { exclusive(value, "value") }?;
        *value = unsafe { found(own, parameter) }?.get(&own.stack);
        Ok(KinescopeStatus::Done)
    })
}

/// Changes a numeric setting by its path, within the range of kinescope_parameter_range.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_stack_set_parameter(
    stack: *mut KinescopeStack,
    parameter: *const c_char,
    value: f32,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object_mut(stack, "stack") }?;
        let found = unsafe { found(own, parameter) }?;
        let [least, most] = found.range();
        if !(least..=most).contains(&value) {
            let why = format!("{}: is {value}; it must be from {least} to {most}", found.path());
            return Err(Refused(KinescopeStatus::BadSettings, why));
        }
        found.set(&mut own.stack, value);
        Ok(KinescopeStatus::Done)
    })
}
