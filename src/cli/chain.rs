use std::path::Path;

use super::output::print;
use crate::system::files;
use crate::system::files::SizeLimit;
use kinescope_ik::chain_ik::file::{ChainFile, ChainResult};

pub(super) fn solve_chain(input: &Path, out: Option<&Path>) -> Result<(), String> {
    out.map_or(Ok(()), |out| files::check_output(out, &[input.to_owned()]))?;
    let file = ChainFile::from_json(&files::read_text(input, SizeLimit::CHAIN)?);
    let result = file.and_then(|file| file.solve()).map_err(|error| format!("{}: {error}", input.display()))?;
    match out {
        Some(out) => files::write(out, result.to_json().as_bytes()),
        None => print(&iterations(&result)),
    }
}

fn iterations(result: &ChainResult) -> String {
    use std::fmt::Write;
    let mut out = format!("{:>9}  {:>16}  {:>18}\n", "iteration", "error", "largest joint move");
    for (index, error) in result.errors.iter().enumerate() {
        let (iteration, moved) = match index {
            0 => ("start".to_owned(), "–".to_owned()),
            _ => (index.to_string(), format!("{:.7}", result.largest_move(index))),
        };
        let _ = writeln!(out, "{iteration:>9}  {error:>16.7}  {moved:>18}");
    }
    out.push_str("errors and moves in model units\n");
    let plural = if result.iterations == 1 { "" } else { "s" };
    let _ = writeln!(
        out,
        "{}, error {:.7}, {} iteration{plural}, {}",
        result.solver.label(),
        result.error,
        result.iterations,
        result.stopped_by.sentence()
    );
    out
}
