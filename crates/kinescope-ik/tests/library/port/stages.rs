use glam::{DQuat as Q, DVec3 as V};
use kinescope_ik::full_body::{Smoothing, Stage};

use super::math::{STRAIGHT, ZERO, across, from_to, joint, nlerp, plane, sine, unit_or_zero};
use super::read::torso;
use super::{Bug, Frame, Points, Port, of_limb};

const BODY: usize = 0;

impl Port {
    pub fn run(&mut self, frame: &Frame, nodes: &mut Points, stage: Stage) {
        match stage {
            Stage::Read
            | Stage::BeforeSolve
            | Stage::BeforeIteration
            | Stage::AfterIteration
            | Stage::BeforeBend
            | Stage::BeforeWrite => {}
            Stage::EndEffectors | Stage::FinalEffectors => self.end_effectors(frame, nodes),
            Stage::Push if self.has(Bug::ReachBeforePush) => self.reach(frame, nodes),
            Stage::Reach if self.has(Bug::ReachBeforePush) => self.push(frame, nodes),
            Stage::Push => self.push(frame, nodes),
            Stage::Reach => self.reach(frame, nodes),
            Stage::BodyEffectors | Stage::BodyEffectorsAgain => self.body_effectors(frame, nodes),
            Stage::Trigonometric => self.trigonometric(frame, nodes, false),
            Stage::Bend => self.trigonometric(frame, nodes, true),
            Stage::Stage1 => self.stage1(frame, nodes),
            Stage::Stage2 => self.stage2(frame, nodes),
        }
    }

    fn end_effectors(&mut self, frame: &Frame, nodes: &mut Points) {
        for limb in 0..4 {
            let (own, last) = (&frame.effectors[5 + limb], of_limb(limb, 2));
            let mut from = frame.bones[last] + frame.offsets[last];
            if self.has(Bug::EndsStartAtNode) {
                from = nodes[last];
            }
            if own.relative > 0.0 {
                let (now, read) = (torso(nodes, limb, self.bug), torso(&frame.bones, limb, self.bug));
                let turned = plane(now) * frame.limbs[limb].torso_plane.conjugate();
                let arm = frame.bones[last] - read[0];
                let offset = if self.has(Bug::CarriedWithoutOffset) { V::ZERO } else { frame.offsets[last] };
                let carried = now[0] + turned * arm + offset;
                from = from.lerp(carried, own.relative);
                let share = if self.has(Bug::PlaneTurnNotWeighted) { 1.0 } else { own.relative };
                self.memory.carried[limb] = nlerp(Q::IDENTITY, turned, share);
            } else if !self.has(Bug::PlaneTurnKept) {
                self.memory.carried[limb] = Q::IDENTITY;
            }
            nodes[last] = from.lerp(own.position, own.weight);
        }
    }

    fn smoothed(&self, smoothing: Smoothing, force: f64) -> f64 {
        match smoothing {
            Smoothing::None if self.has(Bug::NoneIsSquare) => force * force,
            Smoothing::None => force,
            Smoothing::Exponential if self.has(Bug::ExponentialIsPower) => (1.0 - (-force).exp()) * force,
            Smoothing::Exponential => force * force,
            Smoothing::Cubic if self.has(Bug::CubicIsSquare) => force * force,
            Smoothing::Cubic => force * force * force,
        }
    }

    fn push(&self, frame: &Frame, nodes: &mut Points) {
        let mut sum = V::ZERO;
        for limb in 0..4 {
            let (chain, own) = (&frame.settings.chains[limb], &frame.limbs[limb]);
            let direction = nodes[of_limb(limb, 2)] - nodes[of_limb(limb, 0)];
            let whole = if self.has(Bug::PushByWholeLength) { own.length() } else { own.distance };
            if chain.push <= 0.0 || direction.length() < ZERO || whole < ZERO {
                continue;
            }
            let mut force = 1.0 - direction.length() / whole;
            if force <= 0.0 && !self.has(Bug::PushWhenStretched) {
                continue;
            }
            force = self.smoothed(chain.push_smoothing, force);
            let mut pushed = -direction * force * f64::from(chain.push);
            if self.has(Bug::PushReversed) {
                pushed = -pushed;
            }
            nodes[of_limb(limb, 0)] += pushed;
            let parent = f64::from(chain.push_parent);
            sum += pushed * if self.has(Bug::PushParentClamped) { parent.max(0.0) } else { parent };
        }
        nodes[BODY] += sum;
    }

    fn reach(&self, frame: &Frame, nodes: &mut Points) {
        for limb in 0..4 {
            let (chain, own) = (&frame.settings.chains[limb], &frame.limbs[limb]);
            let direction = nodes[of_limb(limb, 2)] - nodes[of_limb(limb, 0)];
            let (force, length) = (own.reach_force, own.length());
            if force <= 0.0 || direction.length() < ZERO || length < ZERO {
                continue;
            }
            let mut stretch = direction.length() / length;
            if !self.has(Bug::StretchNotClamped) {
                stretch = stretch.clamp(1.0 - force, 1.0 + force);
            }
            let delta = self.smoothed(chain.reach_smoothing, (stretch - 1.0 + force).clamp(-1.0, 1.0));
            let limit = if chain.scale_free_reach { direction.length() / length } else { direction.length() };
            let limit = if self.has(Bug::ReachNotLimited) { f64::MAX } else { limit };
            let offset = unit_or_zero(direction) * length * delta.max(0.0).min(limit);
            let free = 1.0 - frame.effectors[1 + limb].weight;
            nodes[of_limb(limb, 0)] += offset * if self.has(Bug::ReachMovesHeldNodes) { 1.0 } else { free };
            if !self.has(Bug::ReachLeavesEnd) {
                nodes[of_limb(limb, 2)] += offset;
            }
        }
    }

    fn body_effectors(&self, frame: &Frame, nodes: &mut Points) {
        let body = |nodes: &mut Points| {
            let own = &frame.effectors[0];
            nodes[BODY] = nodes[BODY].lerp(own.position, own.weight);
            for leg in [2, 3] {
                if !self.has(Bug::ThighsLeftBehind) {
                    let to = nodes[BODY] + frame.limbs[leg].body_child;
                    nodes[of_limb(leg, 0)] = nodes[of_limb(leg, 0)].lerp(to, own.weight);
                }
            }
        };
        if !self.has(Bug::ThighsBeforeBody) {
            body(nodes);
        }
        for limb in 0..4 {
            let (own, first) = (&frame.effectors[1 + limb], of_limb(limb, 0));
            let from = if self.has(Bug::BodyEffectorsFromAnimation) {
                frame.bones[first] + frame.offsets[first]
            } else {
                nodes[first]
            };
            nodes[first] = if own.weight > 0.0 { from.lerp(own.position, own.weight) } else { nodes[first] };
        }
        if self.has(Bug::ThighsBeforeBody) {
            body(nodes);
        }
    }

    fn trigonometric(&mut self, frame: &Frame, nodes: &mut Points, is_bend: bool) {
        for limb in 0..4 {
            let own = &frame.limbs[limb];
            let [first, second, last] = std::array::from_fn(|joint| of_limb(limb, joint));
            let direction = nodes[last] - nodes[first];
            if direction.length() < ZERO {
                continue;
            }
            let most = if self.has(Bug::LimbTooShort) { 0.999 } else { 0.9999 };
            let mut base = direction.length();
            if !self.has(Bug::StretchedLimb) {
                base = base.min(own.length() * most);
            }
            let mut bend = if is_bend { self.bend_direction(frame, nodes, limb) } else { nodes[second] - nodes[first] };
            if sine(bend, direction) < STRAIGHT {
                let [p1, p3] = [frame.bones[first], frame.bones[last]];
                bend = match self.bug {
                    Bug::ParallelBendKept => bend,
                    _ => from_to(p3 - p1, direction) * own.default_direction,
                };
            }
            let up = across(direction, bend);
            let [mut a, mut b] = own.lengths;
            if self.has(Bug::TrigonometricLengthsSwapped) {
                (a, b) = (b, a);
            }
            let x = if base > 0.0 { (base * base + a * a - b * b) / (2.0 * base) } else { 0.0 };
            let mut y = (a * a - x * x).max(0.0).sqrt();
            if self.has(Bug::OtherSide) && !is_bend {
                y = -y;
            }
            nodes[second] = match base > 0.0 {
                true => nodes[first] + unit_or_zero(direction) * x + up * y,
                false => nodes[first],
            };
        }
    }

    fn bend_direction(&mut self, frame: &Frame, nodes: &Points, limb: usize) -> V {
        let (chain, own) = (&frame.settings.chains[limb], &frame.limbs[limb]);
        let [first, second, last] = std::array::from_fn(|joint| of_limb(limb, joint));
        let goal = chain.bend_goal.map(|goal| goal.as_dvec3() - nodes[first]).filter(|to| to.length() >= ZERO);
        let direction = chain.bend_direction.map(|direction| direction.as_dvec3());
        let mut given = if self.has(Bug::DirectionBeforeGoal) { direction.or(goal) } else { goal.or(direction) };
        if self.has(Bug::GoalKept) {
            given = given.or(self.memory.given[limb]);
            self.memory.given[limb] = given;
        }
        if self.has(Bug::GoalIsDirection) {
            given = chain.bend_goal.map(|goal| goal.as_dvec3()).or(direction);
        }
        let weight = if given.is_some() { own.bend_weight } else { 0.0 };
        let given = given.unwrap_or(V::ZERO);
        if weight >= 1.0 {
            return given;
        }

        let along = nodes[last] - nodes[first];
        let [p1, p2, p3] = [first, second, last].map(|node| frame.bones[node]);
        let animated = if own.is_straight { own.default_direction } else { p2 - p1 };
        let mut natural = from_to(p3 - p1, along) * animated;
        let effector = &frame.effectors[5 + limb];
        if effector.rotation_weight > 0.0 {
            let normal = effector.rotation * self.character.default_child[limb];
            let mut wanted = -along.cross(normal);
            match self.bug {
                Bug::RotationBendsOtherWay => wanted = -wanted,
                Bug::RotationBendIsUnit => (natural, wanted) = (unit_or_zero(natural), unit_or_zero(wanted)),
                _ => {}
            }
            if !self.has(Bug::RotationDoesNotBend) {
                natural = natural.lerp(wanted, effector.rotation_weight);
            }
        }
        let turned = self.memory.carried[limb];
        if turned != Q::IDENTITY {
            let back = from_to(turned * along, along);
            natural = match self.bug {
                Bug::TwistProductReversed => turned * back * natural,
                Bug::TwistWithSwing => turned * natural,
                _ => back * turned * natural,
            };
        }
        if weight <= 0.0 {
            return natural;
        }
        match self.bug {
            Bug::BendMixNotUnit => natural.lerp(given, weight),
            _ => unit_or_zero(natural).lerp(unit_or_zero(given), weight),
        }
    }

    fn child_constraints(&self, frame: &Frame, nodes: &mut Points) {
        let order = if self.has(Bug::SidesBeforeDiagonals) { [2, 3, 0, 1] } else { [0, 1, 2, 3] };
        for own in order.map(|index| &frame.constraints[index]) {
            let [a, b] = own.nodes;
            let between = nodes[b] - nodes[a];
            let distance = between.length();
            let stiffness = 1.0 - if distance > own.nominal { own.pull } else { own.push };
            if stiffness <= 0.0 || distance < ZERO {
                continue;
            }
            let offset = between * stiffness * (1.0 - own.nominal / distance);
            nodes[a] += offset * own.cross_fade;
            nodes[b] -= offset * (1.0 - own.cross_fade);
        }
    }

    fn stage1(&self, frame: &Frame, nodes: &mut Points) {
        let forward = |nodes: &mut Points| {
            for limb in 0..4 {
                let [first, second, last] = std::array::from_fn(|joint| of_limb(limb, joint));
                let [upper, lower] = frame.limbs[limb].lengths;
                nodes[second] = joint(nodes[second], nodes[last], lower);
                nodes[first] = match self.bug {
                    Bug::JointNotUnit => nodes[second] + (nodes[first] - nodes[second]) * upper,
                    _ => joint(nodes[first], nodes[second], upper),
                };
            }
        };
        if !self.has(Bug::BodyBeforeLimbs) {
            forward(nodes);
        }
        if !self.has(Bug::NoConstraintsInStage1) {
            self.child_constraints(frame, nodes);
        }
        let body = nodes[BODY];
        let mut centroid = body;
        for limb in 0..4 {
            let own = &frame.limbs[limb];
            let wanted = joint(body, nodes[of_limb(limb, 0)], own.root_length);
            let pull = f64::from(frame.settings.chains[limb].pull);
            let pull = if self.has(Bug::CentroidWithoutPull) { 1.0 } else { pull };
            centroid += (wanted - body) * (pull / frame.pull_sum);
        }
        let pin = f64::from(frame.settings.pin);
        nodes[BODY] = match self.bug {
            Bug::PinIgnored => centroid,
            Bug::PinReversed => body.lerp(centroid, pin),
            _ => centroid.lerp(body, pin),
        };
        if self.has(Bug::BodyBeforeLimbs) {
            forward(nodes);
        }
    }

    fn stage2(&self, frame: &Frame, nodes: &mut Points) {
        let rounds = match self.bug {
            Bug::RoundsNotClamped => frame.iterations,
            Bug::RoundsAtLeastOne => frame.iterations.clamp(1, 4),
            Bug::OneRoundMore => frame.iterations.clamp(2, 4) + 1,
            _ => frame.iterations.clamp(2, 4),
        };
        for _ in 0..rounds {
            if !self.has(Bug::LinearBeforeChild) {
                self.child_constraints(frame, nodes);
            }
            for limb in if self.has(Bug::LinearReversed) { [3, 2, 1, 0] } else { [0, 1, 2, 3] } {
                let (own, first) = (&frame.limbs[limb], of_limb(limb, 0));
                let between = nodes[first] - nodes[BODY];
                if between.length() < ZERO {
                    continue;
                }
                let offset = between * (1.0 - own.root_length / between.length());
                let share = if self.has(Bug::LinearShareReversed) { 1.0 - own.cross_fade } else { own.cross_fade };
                nodes[BODY] += offset * share;
                nodes[first] -= offset * (1.0 - share);
            }
            if self.has(Bug::LinearBeforeChild) {
                self.child_constraints(frame, nodes);
            }
        }
        for limb in 0..4 {
            let own = &frame.limbs[limb];
            let [first, second, last] = std::array::from_fn(|joint| of_limb(limb, joint));
            let [upper, lower] = own.lengths;
            nodes[first] = joint(nodes[first], nodes[BODY], own.root_length);
            nodes[second] = joint(nodes[second], nodes[first], upper);
            let lower = if self.has(Bug::BackwardLengthIndex) { upper } else { lower };
            nodes[last] = joint(nodes[last], nodes[second], lower);
        }
    }
}
