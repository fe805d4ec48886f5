#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| tablemen_core_fuzz::check("tablebase", input));
