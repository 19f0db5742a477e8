//! Sections of the stack: chains and grounding in files, their messages, and the memory of lanes.

use glam::Vec3;
use kinescope_ik::chain_ik::State;
use kinescope_ik::ground::Layers;
use kinescope_ik::rig::ModelPose;
use kinescope_ik::stack::{
    ChainSection, ChainSolve, GroundingRule, GroundingSection, Input, LabChain, LabSection, Memory, Method, Rig, Stack,
    Tools, solve,
};

#[test]
fn a_section_survives_its_preset_and_a_bad_one_is_named() {
    let mut section = ChainSection { lab: Some(LabSection::default()), ..ChainSection::default() };
    section.chains.push(ChainSolve { name: "tail".into(), target: Some(Vec3::ONE), ..ChainSolve::default() });
    assert_eq!(section.validate(), Ok(()));
    let text = serde_json::to_string(&section).unwrap();
    assert_eq!(serde_json::from_str::<ChainSection>(&text).unwrap(), section);
    section.chains[0].settings.weight = f32::NAN;
    let error = section.validate().unwrap_err().to_string();
    assert!(error.starts_with("chain_ik.chains[0].settings.weight: is NaN"), "{error}");
    section.chains.clear();
    section.lab = Some(LabSection { chain: LabChain::Free(1), ..LabSection::default() });
    assert!(section.validate().unwrap_err().to_string().starts_with("chain_ik.lab.chain.free: is 1"));
    section.lab = Some(LabSection { lanes: Vec::new(), ..LabSection::default() });
    assert!(section.validate().unwrap_err().to_string().starts_with("chain_ik.lab.lanes: has 0"));
}

#[test]
fn feet_without_ground_layers_are_reported_where_grounding_is_on() {
    let rule = GroundingRule { method: Some(Method::Predictive), ..GroundingRule::default() };
    let section = |method| GroundingSection {
        method,
        environment: [Layers::NONE, Layers::ALL],
        rules: vec![rule.clone()],
        ..GroundingSection::default()
    };
    let warning = section(Method::FootIk).warning().unwrap();
    assert!(warning.starts_with("no ground layer is chosen for the left foot"), "{warning}");
    assert_eq!(section(Method::Off).warning(), None);
    let section = GroundingSection { environment: [Layers::ALL; 2], ..section(Method::FootIk) };
    assert_eq!(section.warning(), None);
}

#[test]
fn lanes_that_do_not_exist_are_forgotten() {
    let rig = Rig::default();
    let lanes_after = |lab: Option<LabSection>| {
        let mut stack = Stack::default();
        stack.chain_ik.lab = lab;
        let mut input = Input::new(stack, ModelPose::rigid(rig.reference.to_vec()));
        input.memory = Memory { lanes: vec![State::default(); 3], ..Memory::default() };
        solve(&rig, Tools::default(), &input).memory.lanes.len()
    };
    assert_eq!(lanes_after(Some(LabSection::default())), 2);
    assert_eq!(lanes_after(None), 0);
}
