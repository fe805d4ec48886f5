//! Registration of the Python part of a family with the core: its variants, and the functions that draw a position
//! and explain illegal moves.
//!
//! The core's classes are public, so some of their methods are implemented in Python. The package registers these
//! functions when it is imported; nothing here looks up a Python function by name.

use pyo3::exceptions::{PyKeyError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString};

/// A family of games.
pub struct Family {
    package: &'static str,
    registered: PyOnceLock<Registered>,
}

/// The objects that the package of a family has registered.
struct Registered {
    /// The known rule sets by name.
    variants: Py<PyAny>,
    /// The function that finds a rule set by any of its names.
    find_variant: Py<PyAny>,
    /// The functions that draw a position as text and as SVG.
    diagram: Py<PyAny>,
    svg: Py<PyAny>,
    /// The function that explains why a move is not legal.
    explain_illegal: Py<PyAny>,
}

/// Draughts.
pub static DRAUGHTS: Family = Family { package: "tablemen.draughts", registered: PyOnceLock::new() };
/// Mancala.
pub static MANCALA: Family = Family { package: "tablemen.mancala", registered: PyOnceLock::new() };

impl Family {
    fn registered(&self, py: Python<'_>) -> PyResult<&Registered> {
        if self.registered.get(py).is_none() {
            // If the first use of the core is unpickling an object, import the package, which registers itself.
            py.import(self.package)?;
        }
        let missing = || PyRuntimeError::new_err(format!("{} has not registered itself", self.package));
        self.registered.get(py).ok_or_else(missing)
    }

    /// Return the rules of a variant, given as rules or by any of its names.
    pub fn find_variant<'py>(&self, variant: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = variant.py();
        let registered = self.registered(py)?;
        if variant.is_exact_instance_of::<PyString>() {
            match registered.variants.bind(py).get_item(variant) {
                Err(error) if error.is_instance_of::<PyKeyError>(py) => {}
                found => return found,
            }
        }
        registered.find_variant.bind(py).call1((variant,))
    }

    /// Return the name of the rules if they are a known variant, otherwise the rules themselves, for `repr` and
    /// pickles.
    pub fn reference(&self, py: Python<'_>, rules: &Py<PyAny>) -> PyResult<Py<PyAny>> {
        let name = rules.getattr(py, "name")?;
        let is_known = match self.registered(py)?.variants.bind(py).get_item(&name) {
            Ok(known) => known.is(rules),
            Err(error) if error.is_instance_of::<PyKeyError>(py) => false,
            Err(error) => return Err(error),
        };
        Ok(if is_known { name } else { rules.clone_ref(py) })
    }

    /// Draw a position as text.
    pub fn diagram<'py>(&self, position: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.registered(position.py())?.diagram.bind(position.py()).call1((position,))
    }

    /// Draw a position as SVG.
    pub fn svg<'py>(
        &self,
        position: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.registered(position.py())?.svg.bind(position.py()).call((position,), options)
    }

    /// Explain why a move, given as such or as text, is not legal in a position.
    pub fn explain_illegal<'py>(
        &self,
        position: &Bound<'py, PyAny>,
        played: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.registered(position.py())?.explain_illegal.bind(position.py()).call1((position, played))
    }
}

/// Register the variants of a family, and the functions that draw its positions and explain illegal moves. Only the first
/// call has an effect.
#[pyfunction]
#[pyo3(signature = (package, *, variants, find_variant, diagram, svg, explain_illegal))]
pub fn register_family(
    py: Python<'_>,
    package: &str,
    variants: Py<PyAny>,
    find_variant: Py<PyAny>,
    diagram: Py<PyAny>,
    svg: Py<PyAny>,
    explain_illegal: Py<PyAny>,
) -> PyResult<()> {
    let family = [&DRAUGHTS, &MANCALA].into_iter().find(|family| family.package == package);
    let unknown = || PyValueError::new_err(format!("{package:?} is not the package of a family"));
    let registered = Registered { variants, find_variant, diagram, svg, explain_illegal };
    let _ = family.ok_or_else(unknown)?.registered.set(py, registered);
    Ok(())
}
