//! The draw rules of a rule set, as the core reads them.

use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};
use tablemen_core::draughts::{
    DrawRule, DrawnMaterial, Force, LARGEST_COUNT, Material, MoveCount, Progress, Range, SquareMove, Threat,
};

use super::moves::Move;
use super::position::Position;

/// What is known of a draw rule; None where Python alone knows it.
type Known<T> = PyResult<Option<T>>;

/// The counts, whether a rule draws, and whether one does so by what is on the board alone.
type State = (Vec<Option<u16>>, bool, bool);

/// The draw rules of `DraughtsRules`. They and what they hold have been checked by now.
pub fn read(rules: &Bound<'_, PyAny>) -> PyResult<Vec<DrawRule>> {
    let reader = Reader::new(rules.py())?;
    let read = |rule: PyResult<Bound<'_, PyAny>>| Ok(reader.rule(&rule?)?.unwrap_or(DrawRule::Unknown));
    rules.getattr("draws")?.try_iter()?.map(read).collect()
}

/// The classes that are known. Classes made from them may mean anything, so those are not.
struct Reader<'py> {
    repetition: Bound<'py, PyAny>,
    move_count: Bound<'py, PyAny>,
    drawn_material: Bound<'py, PyAny>,
    material: Bound<'py, PyAny>,
    force: Bound<'py, PyAny>,
}

impl<'py> Reader<'py> {
    fn new(py: Python<'py>) -> PyResult<Self> {
        let class = |module: &str, name: &str| py.import(module)?.getattr(name);
        Ok(Reader {
            repetition: class("tablemen.draws", "Repetition")?,
            move_count: class("tablemen.draughts.draws", "MoveCount")?,
            drawn_material: class("tablemen.draughts.draws", "DrawnMaterial")?,
            material: class("tablemen.draughts.material", "Material")?,
            force: class("tablemen.draughts.material", "Force")?,
        })
    }

    fn rule(&self, rule: &Bound<'py, PyAny>) -> Known<DrawRule> {
        let class: Bound<'_, PyType> = rule.get_type();
        if class.is(&self.repetition) {
            // More times than fit into the number are more than any game has moves.
            Ok(Some(DrawRule::Repetition(rule.getattr("times")?.extract().unwrap_or(u32::MAX))))
        } else if class.is(&self.move_count) {
            Ok(self.move_count(rule)?.map(DrawRule::MoveCount))
        } else if class.is(&self.drawn_material) {
            Ok(self.drawn_material(rule)?.map(DrawRule::DrawnMaterial))
        } else {
            Ok(None)
        }
    }

    fn move_count(&self, rule: &Bound<'py, PyAny>) -> Known<MoveCount> {
        let plies = rule.getattr("plies")?.extract().ok().filter(|plies| *plies <= LARGEST_COUNT);
        let (within, outside) = (rule.getattr("within")?, rule.getattr("outside")?);
        let (Some(plies), Some(within), Some(outside)) = (plies, self.any(&within)?, self.any(&outside)?) else {
            return Ok(None);
        };
        let resets = Progress(rule.getattr("resets")?.getattr("value")?.extract()?);
        Ok(Some(MoveCount { plies, resets, within, outside }))
    }

    fn drawn_material(&self, rule: &Bound<'py, PyAny>) -> Known<DrawnMaterial> {
        let Some(material) = self.material(&rule.getattr("material")?)? else { return Ok(None) };
        let unless = match rule.getattr("unless")?.getattr("name")?.extract::<String>()?.as_str() {
            "NONE" => Threat::None,
            "CAPTURE" => Threat::Capture,
            "LOSS" => Threat::Loss,
            _ => return Ok(None),
        };
        Ok(Some(DrawnMaterial { material, unless }))
    }

    /// The material, where any is given.
    fn any(&self, material: &Bound<'py, PyAny>) -> Known<Option<Material>> {
        if material.is_none() { Ok(Some(None)) } else { Ok(self.material(material)?.map(Some)) }
    }

    fn material(&self, material: &Bound<'py, PyAny>) -> Known<Material> {
        if !material.get_type().is(&self.material) {
            return Ok(None);
        }
        let (one, other) = (self.force(&material.getattr("one")?)?, self.force(&material.getattr("other")?)?);
        let (Some(one), Some(other)) = (one, other) else { return Ok(None) };
        Ok(Some(Material { one, other, total: range(material, "total")? }))
    }

    fn force(&self, force: &Bound<'py, PyAny>) -> Known<Force> {
        if !force.get_type().is(&self.force) {
            return Ok(None);
        }
        Ok(Some(Force {
            pieces: range(force, "pieces")?,
            kings: range(force, "kings")?,
            men: range(force, "men")?,
            on_long_diagonal: force.getattr("on_long_diagonal")?.extract()?,
        }))
    }
}

/// The range in a field. No board has as many pieces as a number that does not fit.
fn range(owner: &Bound<'_, PyAny>, field: &str) -> PyResult<Range> {
    let (least, most): (Bound<'_, PyAny>, Bound<'_, PyAny>) = owner.getattr(field)?.extract()?;
    let number = |number: Bound<'_, PyAny>| number.extract().unwrap_or(u16::MAX);
    Ok(Range { least: number(least), most: number(most) })
}

/// How the draw rules stand in a position that a game begins with, and after each move: the count of every known rule
/// but repetition, whether a rule draws, and whether one does so by what is on the board alone.
///
/// This is what a search sees, for tests to look at; who plays asks a `Game`.
#[pyfunction]
pub fn draw_states(start: &Bound<'_, Position>, moves: &Bound<'_, PyTuple>) -> PyResult<Vec<State>> {
    let mut position = start.clone().into_any();
    let mut played: Vec<SquareMove> = Vec::new();
    for each in moves.iter() {
        position = position.call_method1("play", (&each,))?;
        played.push(each.cast::<Move>()?.get().played.clone());
    }
    let states = start.get().board.draw_states(&played);
    Ok(states.into_iter().map(|state| (state.counts, state.is_drawn, state.is_drawn_at_once)).collect())
}
