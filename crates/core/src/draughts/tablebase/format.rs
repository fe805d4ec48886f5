//! The compression of values.

/// The lengths of runs, for each of the three values. Codes from `FIRST_RUN` on are runs, lower ones five values each.
const RUNS: [usize; 4] = [10, 24, 64, 256];
const FIRST_RUN: u8 = 243;
const LITERAL: usize = 5;

/// Encode values 0 to 2; 3 is any value.
pub(super) fn encode(values: &[u8], out: &mut Vec<u8>) {
    let mut at = 0;
    while at < values.len() {
        // The longest run from here: don't-care values extend it.
        let (mut value, mut length) = (3, 0);
        for &each in &values[at..] {
            if each != 3 && value == 3 {
                value = each;
            }
            if each != 3 && each != value {
                break;
            }
            length += 1;
        }
        if value == 3 {
            value = 0;
        }
        let rest = values.len() - at;
        let fits = |run: &usize| length >= *run || length == rest;
        if length == rest && length > LITERAL {
            let class = RUNS.iter().position(|run| *run >= length).unwrap_or(RUNS.len() - 1);
            out.push(FIRST_RUN + 4 * value + class as u8);
            at += RUNS[class].min(rest);
        } else if let Some(class) = RUNS.iter().rposition(fits) {
            out.push(FIRST_RUN + 4 * value + class as u8);
            at += RUNS[class];
        } else {
            let mut code = 0u8;
            let mut last = value;
            for place in (0..LITERAL).rev() {
                let each = values.get(at + place).copied().unwrap_or(3);
                if each != 3 { last = each; }
                code = code * 3 + last;
            }
            out.push(code);
            at += LITERAL;
        }
    }
}
