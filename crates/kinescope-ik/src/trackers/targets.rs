//! Targets of the solvers from the readings of trackers.

use glam::{Quat, Vec3};

use super::settings::TrackerSettings;
use super::stream::Reading;
use super::tracker::Tracker;
use super::wearer::Wearer;
use crate::full_body::Settings;
use crate::math::from_to_about_axis;
use crate::modifiers::{Head, MAX_MODIFIERS, Modifier};
use crate::names::Effector;
use crate::rig::{LimbName, RigidTransform};

/// The targets of the bones that carry trackers, from the readings and the calibration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Targets {
    /// Targets in the order of [`Tracker::ALL`] and in the space of the poses; `None` for a tracker that reports nothing or is
    /// not worn.
    pub bones: [Option<RigidTransform>; Tracker::COUNT],
    /// Positions of the shoulders by the tracker of the chest, and of the hip joints by the tracker of the pelvis. In
    /// the order of [`LimbName::ALL`] and in the space of the poses; `None` if that tracker reports nothing or is not
    /// worn.
    pub roots: [Option<Vec3>; 4],
    root: RigidTransform,
    has_feet: bool,
}

impl Targets {
    /// Converts readings to targets. `root` is the root transform of the character.
    pub fn new(wearer: &Wearer, settings: &TrackerSettings, readings: &[Reading], root: &RigidTransform) -> Self {
        let calibration = settings.calibration.unwrap_or_default();
        let mut bones = [None; Tracker::COUNT];
        for reading in readings {
            // Without a calibration, a headset and controllers still report their own place.
            let mounts = if reading.tracker.is_device() { &settings.mounts } else { &calibration.mounts };
            let mount = wearer.mount(mounts, reading.tracker);
            bones[reading.tracker as usize] = reading.reported.map(|reported| {
                let rotation = (reported.rotation * mount.rotation.conjugate()).normalize();
                let position = (reported.position - rotation * mount.position) / calibration.height;
                RigidTransform { position, rotation }
            });
        }
        let carrier = [Tracker::Chest, Tracker::Head].into_iter().find_map(|on| Some((on, bones[on as usize]?)));
        if let Some((on, carrier)) = carrier.filter(|_| calibration.arms != 1.0) {
            for tracker in Tracker::ALL {
                let Some((limb, _)) = tracker.limb().filter(|(limb, _)| limb.index() < 2) else { continue };
                // A head turns on its neck, so that it carries only the middle of the shoulders.
                let root = match on {
                    Tracker::Chest => wearer.root_on(limb, on, &carrier),
                    _ => wearer.shoulders_on(on, &carrier),
                };
                if let Some(bone) = &mut bones[tracker as usize] {
                    bone.position = root + (bone.position - root) / calibration.arms;
                }
            }
        }
        let roots = LimbName::ALL.map(|limb| {
            let on = if limb.index() < 2 { Tracker::Chest } else { Tracker::Pelvis };
            bones[on as usize].map(|bone| root.transform_point(wearer.root_on(limb, on, &bone)))
        });
        let has_feet = settings.points.trackers().contains(&Tracker::LeftFoot);
        Self { bones: bones.map(|bone| bone.map(|bone| root.transform(&bone))), roots, root: *root, has_feet }
    }

    /// Returns the target of a tracker's bone; `None` for a tracker that reports nothing or is not worn.
    pub const fn bone(&self, tracker: Tracker) -> Option<&RigidTransform> {
        self.bones[tracker as usize].as_ref()
    }

    /// Sets the targets of one tracker in the settings of the full body; for the head, in the first [`Head`] modifier
    /// that is on, or in a new one if there is room for one. The weights are 1, or 0 for a tracker that reports
    /// nothing or is not worn.
    pub fn put(&self, tracker: Tracker, settings: &mut Settings, modifiers: &mut Vec<Modifier>) {
        let target = self.bone(tracker);
        let weight = if target.is_some() { 1.0 } else { 0.0 };
        if let Some(effector) = tracker.effector() {
            let own = settings.effector_mut(effector);
            (own.position, own.position_weight) = (target.map(|bone| bone.position), weight);
            (own.rotation, own.rotation_weight) = (target.map(|bone| bone.rotation), weight);
            return;
        }
        let of_roots = match tracker {
            Tracker::Pelvis => [Effector::LeftThigh, Effector::RightThigh],
            Tracker::Chest => [Effector::LeftShoulder, Effector::RightShoulder],
            Tracker::Head => return self.put_head(modifiers),
            _ => {
                if let Some((limb, _)) = tracker.limb() {
                    let own = settings.chain_mut(limb);
                    (own.bend_goal, own.bend_weight) = (target.map(|bone| bone.position), weight);
                }
                return;
            }
        };
        for effector in of_roots {
            let root = match effector {
                Effector::LeftShoulder => self.roots[0],
                Effector::RightShoulder => self.roots[1],
                Effector::LeftThigh => self.roots[2],
                _ => self.roots[3],
            };
            let own = settings.effector_mut(effector);
            (own.position, own.position_weight) = (root, weight);
        }
    }

    fn put_head(&self, modifiers: &mut Vec<Modifier>) {
        let head = self.bone(Tracker::Head);
        let known = modifiers.iter_mut().filter(|own| own.is_on()).find_map(|own| match own {
            Modifier::Head(head) => Some(head),
            _ => None,
        });
        let put = |own: &mut Head| {
            (own.position, own.rotation) = (head.map(|bone| bone.position), head.map(|bone| bone.rotation));
            let weight = if head.is_some() { 1.0 } else { 0.0 };
            (own.position_weight, own.rotation_weight) = (weight, weight);
        };
        if let Some(own) = known {
            put(own);
        } else if modifiers.len() < MAX_MODIFIERS {
            let mut own = Head::default();
            if self.bone(Tracker::Pelvis).is_some() {
                // The tracker of the pelvis places the hips.
                (own.thighs, own.settle) = (0.0, 0.0);
            }
            put(&mut own);
            modifiers.push(Modifier::Head(own));
        }
    }

    /// Pins the feet at their places in the pose that the solve starts from, if the user wears no trackers on them.
    pub fn pin_feet(&self, settings: &mut Settings) {
        for effector in [Effector::LeftFoot, Effector::RightFoot].into_iter().filter(|_| !self.has_feet) {
            let own = settings.effector_mut(effector);
            (own.position, own.position_weight) = (None, 1.0);
        }
    }

    /// Calls [`Self::pin_feet`], then [`Self::put`] for each of the given trackers.
    pub fn apply(&self, trackers: &[Tracker], settings: &mut Settings, modifiers: &mut Vec<Modifier>) {
        self.pin_feet(settings);
        for &tracker in trackers {
            self.put(tracker, settings, modifiers);
        }
    }

    /// Writes the pose that the solve starts from: the reference pose, carried by the target of the pelvis. Without
    /// that target the pose is at the height of the root, below the target of the head and turned to its heading;
    /// without both, at the root.
    pub fn start_pose(&self, wearer: &Wearer, reference: &[RigidTransform], pose: &mut [RigidTransform]) {
        let start = self.start(wearer);
        for (bone, own) in pose.iter_mut().zip(reference) {
            let placed = start.transform(own);
            *bone = RigidTransform { rotation: placed.rotation.normalize(), ..placed };
        }
    }

    fn start(&self, wearer: &Wearer) -> RigidTransform {
        if let Some(pelvis) = self.bone(Tracker::Pelvis) {
            let own = wearer.reference.bone(Tracker::Pelvis);
            return pelvis.transform(&own.to_local(&RigidTransform::IDENTITY));
        }
        let Some(head) = self.bone(Tracker::Head).map(|head| self.root.to_local(head)) else { return self.root };
        let facing = wearer.heading(wearer.reference.bone(Tracker::Head));
        let turn = facing.zip(wearer.heading(&head));
        let turn = turn.map_or(Quat::IDENTITY, |(from, to)| from_to_about_axis(from, to, Vec3::Y));
        let below = head.position - turn * wearer.reference.bone(Tracker::Head).position;
        self.root.transform(&RigidTransform { position: below.with_y(0.0), rotation: turn })
    }
}
