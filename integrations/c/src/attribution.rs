//! Attribution: which causes moved a bone or a point in a stack's last solve, and the measures of that solve.

use std::ffi::c_char;

use kinescope_library::debugger::attribution::{Attribution, Grouping, Target, attribute};
use kinescope_library::stack::{Frame, LayerId};

use crate::pose::KinescopeVec3;
use crate::settings::choice;
use crate::stack::KinescopeStack;
use crate::{KinescopeStatus, Refused, exclusive, free, guard, hand_over, look, object, objects, write_text_or_none};

/// The displacement of a bone or point in a solve, divided among its causes.
pub struct KinescopeAttribution {
    table: Attribution,
    root: kinescope_library::RigidTransform,
    /// The layers of the frame, in the order of kinescope_stack_layers.
    layers: Vec<LayerId>,
}

objects!(KinescopeAttribution);

/// How the moves of a solve are grouped.
#[allow(dead_code, reason = "C code uses the numbers")]
#[repr(u32)]
pub enum KinescopeGrouping {
    /// By constraint, effector or pass of a limb, over all iterations.
    Cause,
    /// By the name of the step, over all iterations.
    Stage,
    /// By the chain, limb or part of the character that the cause belongs to.
    Chain,
    /// By iteration, with the steps before and after the iterations as one group.
    Iteration,
}

/// A group of moves.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct KinescopeAttributionRow {
    /// Number of moves of the group that displace the bone or point, and of steps that displace it outside their moves.
    pub count: u32,
    /// The layer with the longest displacement of the group, by its number in kinescope_stack_layers.
    pub layer: u32,
    /// The step of that displacement.
    pub step: u32,
    /// The event of that step; -1 if the step itself moved the point.
    pub event: i32,
    /// The sum of the displacements, in model space.
    pub sum: KinescopeVec3,
    /// The part of the sum along the total displacement, in model units; these add up to the length of the total. If
    /// the total is 0, the length of the sum.
    pub along: f64,
}

fn new(stack: &KinescopeStack, target: Target, grouping: u32) -> Result<KinescopeAttribution, Refused> {
    let frame = stack.frame()?;
    let grouping = choice(grouping, &Grouping::ALL, || "grouping".to_owned())?;
    let layers = stack.solved.layers().map(|layer| layer.id).collect();
    Ok(KinescopeAttribution { table: attribute(frame, target, grouping), root: stack.solved.root, layers })
}

/// Divides the displacement of a bone in the last kinescope_stack_solve among its causes, from the animated pose through all
/// layers. `grouping` is a KinescopeGrouping. Returns KINESCOPE_STATUS_BAD_WORKSPACE before the first solve.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_attribution_new(
    stack: *const KinescopeStack,
    bone: u32,
    grouping: u32,
    out: *mut *mut KinescopeAttribution,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let own = object(stack, "stack")?;
            let (bone, count) = (bone as usize, own.rig.skeleton.len());
            if bone >= count {
                return Err(Refused::argument(format!("bone: is {bone}; the character has {count} bones")));
            }
            new(own, Target::Bone(bone), grouping)
        })
    })
}

/// Divides the displacement of a point of a layer among its causes, as kinescope_attribution_new does for a bone. Points are
/// numbered as by kinescope_stack_layer_point.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_attribution_new_of_point(
    stack: *const KinescopeStack,
    layer: usize,
    point: usize,
    grouping: u32,
    out: *mut *mut KinescopeAttribution,
) -> KinescopeStatus {
    guard(|| unsafe {
        hand_over(out, || {
            let own = object(stack, "stack")?;
            own.frame()?;
            let found = own.solved.layer(layer);
            let count = found.and_then(|layer| layer.run()).map_or(0, |run| run.points().len());
            match found.filter(|_| point < count) {
                Some(layer) => new(own, Target::Point(layer.id, point), grouping),
                None => Err(Refused::argument(format!("point: is {point}; layer {layer} has {count} points"))),
            }
        })
    })
}

/// Frees an attribution; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_attribution_free(attribution: *mut KinescopeAttribution) {
    unsafe { free(attribution) };
}

/// Returns the number of rows, one for each group; 0 if nothing moved the bone or point.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_attribution_rows(attribution: *const KinescopeAttribution) -> usize {
    look(0, || Ok(unsafe { object(attribution, "attribution") }?.table.rows.len()))
}

/// Stores the position of a bone before and after all layers, or of a point before and after its layer, in model space.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_attribution_total(
    attribution: *const KinescopeAttribution,
    from: *mut KinescopeVec3,
    to: *mut KinescopeVec3,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(attribution, "attribution") }?;
        let (from, to) = unsafe { (exclusive(from, "from")?, exclusive(to, "to")?) };
        let place = |at| own.root.rotation.inverse() * (at - own.root.position);
        (*from, *to) = (place(own.table.from).into(), place(own.table.to).into());
        Ok(KinescopeStatus::Done)
    })
}

/// Stores a row by its index; the row with the largest absolute value of `along` is the first. Returns
/// KINESCOPE_STATUS_NOTHING_TO_DO if there is no such row.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_attribution_row(
    attribution: *const KinescopeAttribution,
    index: usize,
    row: *mut KinescopeAttributionRow,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(attribution, "attribution") }?;
        let to = unsafe { exclusive(row, "row") }?;
        let Some((row, (layer, at))) = own.table.rows.get(index).and_then(|row| Some((row, row.largest?))) else {
            return Ok(KinescopeStatus::NothingToDo);
        };
        let layer = own.layers.iter().position(|own| *own == layer).unwrap_or_default();
        *to = KinescopeAttributionRow {
            count: row.count,
            layer: layer as u32,
            step: at.step as u32,
            event: at.within.map_or(-1, |event| event as i32),
            sum: (own.root.rotation.inverse() * row.sum.to_vec3()).into(),
            along: row.along,
        };
        Ok(KinescopeStatus::Done)
    })
}

/// Writes the name of a row's group, into a buffer as kinescope_settings_to_preset does. Returns KINESCOPE_STATUS_NOTHING_TO_DO,
/// with a `needed` of 0, if there is no such row.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_attribution_label(
    attribution: *const KinescopeAttribution,
    index: usize,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(attribution, "attribution") }?;
        let label = own.table.rows.get(index).map(|row| &*row.label);
        unsafe { write_text_or_none(label, buffer, capacity, needed) }
    })
}

/// Writes the key of a point of a layer, such as `left_hand`, into a buffer as kinescope_settings_to_preset does. Returns
/// KINESCOPE_STATUS_NOTHING_TO_DO, with a `needed` of 0, if there is no such point.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_stack_layer_point(
    stack: *const KinescopeStack,
    layer: usize,
    point: usize,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let own = unsafe { object(stack, "stack") }?;
        let key = own.solved.run(layer).and_then(|run| Some(run.points().get(point)?.key.clone()));
        unsafe { write_text_or_none(key.as_deref(), buffer, capacity, needed) }
    })
}

/// Returns the number of measures of the last kinescope_stack_solve: the largest gap of a target, the gap of each
/// target, and the measures of the layers; 0 before the first solve.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_stack_measures(stack: *const KinescopeStack) -> usize {
    look(0, || Ok(unsafe { object(stack, "stack") }?.solved.frame.measures().len()))
}

/// Writes the key of a measure by its index, such as `left_hand_gap`, into a buffer as kinescope_settings_to_preset does. Returns
/// KINESCOPE_STATUS_NOTHING_TO_DO, with a `needed` of 0, if there is no such measure.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_stack_measure_key(
    stack: *const KinescopeStack,
    index: usize,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> KinescopeStatus {
    guard(|| {
        let measures = unsafe { object(stack, "stack") }?.solved.frame.measures();
        let key = measures.get(index).map(|measure| &*measure.view.key);
        unsafe { write_text_or_none(key, buffer, capacity, needed) }
    })
}

/// Returns the value of a measure by its index: a length in model units, an angle in radians, or a plain number such as
/// a fraction; NaN if there is no such measure.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kinescope_stack_measure(stack: *const KinescopeStack, index: usize) -> f32 {
    look(f32::NAN, || {
        let frame: &Frame = &unsafe { object(stack, "stack") }?.solved.frame;
        Ok(frame.outcomes().get(index).copied().unwrap_or(f32::NAN))
    })
}
