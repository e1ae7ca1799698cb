//! Checks what rustfmt does not: comments fit into 100 columns.

use std::fs;
use std::path::{Path, PathBuf};

const COLUMNS: usize = 100;

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the sources are there");
    let entries = entries.map(|entry| entry.expect("a folder can be read").path());
    let found = entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] });
    found.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

#[test]
fn comments_fit() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let files = sources(&crates);
    assert!(files.len() > 50, "the sources are not found");
    let mut long = Vec::new();
    for path in files {
        let text = fs::read_to_string(&path).expect("it is text");
        for (number, line) in text.lines().enumerate() {
            let comment = line.trim_start();
            // Hidden lines of examples may have any length.
            let is_hidden = comment.trim_start_matches(['/', '!', ' ']).starts_with('#');
            if comment.starts_with("//") && !is_hidden && line.chars().count() > COLUMNS {
                long.push(format!("{}:{}", path.display(), number + 1));
            }
        }
    }
    assert_eq!(long, Vec::<String>::new());
}
