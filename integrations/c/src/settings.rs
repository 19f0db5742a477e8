//! The parameters of a solve as plain data: defaults, presets, checks.

use std::ffi::c_char;

use kinescope_library::Settings;
use kinescope_library::preset::Preset;

use crate::pose::KinescopeVec3;
pub use crate::tables::KinescopeSettings;
use crate::{KinescopeStatus, Refused, exclusive, guard, shared, text, write_text};

/// Returns the enum value for a number. `place` returns the path of the field, for the error message.
pub(crate) fn choice<T: Copy>(number: u32, all: &[T], place: impl Fn() -> String) -> Result<T, Refused> {
    let known = usize::try_from(number).ok().and_then(|number| all.get(number).copied());
    let why = || format!("{}: is {number}; it must be from 0 to {}", place(), all.len().saturating_sub(1));
    known.ok_or_else(|| Refused(KinescopeStatus::BadSettings, why()))
}

impl KinescopeSettings {
    pub(crate) fn read(&self) -> Result<Settings, Refused> {
        self.read_at(str::to_owned)
    }
}

/// Sets all parameters to their defaults.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_settings_default(settings: *mut KinescopeSettings) -> KinescopeStatus {
    guard(|| {
        *unsafe { exclusive(settings, "settings") }? = (&Settings::default()).into();
        Ok(KinescopeStatus::Done)
    })
}

/// Reads the parameters of the full body from a preset as saved by the window: zero-terminated JSON. Its other sections
/// have no effect.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_settings_from_preset(
    json: *const c_char,
    settings: *mut KinescopeSettings,
) -> KinescopeStatus {
    guard(|| {
        let settings = unsafe { exclusive(settings, "settings") }?;
        let preset = Preset::from_json(unsafe { text(json, "json") }?).map_err(Refused::file)?;
        *settings = (&preset.settings).into();
        Ok(KinescopeStatus::Done)
    })
}

/// Writes a preset as zero-terminated JSON into a buffer of `capacity` bytes. `needed`, which may be NULL, receives the number of
/// bytes including the zero. If the buffer is smaller (NULL and 0 ask for the size), nothing is written and
/// KINESCOPE_STATUS_NOTHING_TO_DO is returned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_settings_to_preset(
    settings: *const KinescopeSettings,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let settings = unsafe { shared(settings, "settings") }?.read()?;
        settings.validate().map_err(Refused::settings)?;
        let json = Preset { settings, ..Preset::default() }.to_json();
        unsafe { write_text(&json, buffer, capacity, needed) }
    })
}

/// Checks that every number is in its range. A solve accepts some numbers outside their ranges; a preset does not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_settings_validate(settings: *const KinescopeSettings) -> KinescopeStatus {
    guard(|| {
        let settings = unsafe { shared(settings, "settings") }?.read()?;
        settings.validate().map_err(Refused::settings)?;
        Ok(KinescopeStatus::Done)
    })
}

/// Sets the position offsets of all effectors to 0, for example before the offsets of the next frame are added.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_settings_clear_offsets(settings: *mut KinescopeSettings) -> KinescopeStatus {
    guard(|| {
        for effector in &mut unsafe { exclusive(settings, "settings") }?.effectors {
            effector.position_offset = KinescopeVec3::default();
        }
        Ok(KinescopeStatus::Done)
    })
}
