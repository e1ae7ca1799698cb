//! Computes a fingerprint of the kernel's sources, so that results can name the version that made
//! them.

use std::path::{Path, PathBuf};
use std::{fs, io};

fn main() -> io::Result<()> {
    let mut files = Vec::new();
    collect(Path::new("src"), &mut files)?;
    // Sort, so that the order is the same on every machine.
    files.sort_by_key(|file| name(file));
    let mut mixed = Fnv::new();
    for file in &files {
        mixed.add(name(file).as_bytes());
        mixed.add(&[0]);
        // A copy of the sources may have other line endings.
        let text = fs::read(file)?;
        text.iter().filter(|&&byte| byte != b'\r').for_each(|&byte| mixed.add(&[byte]));
        mixed.add(&[0]);
    }
    println!("cargo::rustc-env=CADOGAN_KERNEL_FINGERPRINT={:016x}", mixed.0);
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-changed=build.rs");
    Ok(())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

fn name(file: &Path) -> String {
    file.to_string_lossy().replace('\\', "/")
}

/// FNV-1a: it must distinguish sources, but need not resist attacks.
struct Fnv(u64);

impl Fnv {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
