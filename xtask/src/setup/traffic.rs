//! Files for measurements of load: photographs, pictures of text, PDFs and documents of other kinds that packages carry. None
//! of them was made here, and none is in git.

use quartet_models::origin::Origin;

use super::packages::{Package, Source, Treatment};

/// The variable that names their folders.
pub const VARIABLE: &str = "QUARTET_TRAFFIC_FILES";

/// The folder of this repository with a PDF.
pub const OWN: &str = "components/pdf/probe";

/// The packages. Those with pictures and PDFs are what the measurements of pictures and PDFs take theirs from.
pub const PACKAGES: &[Package] = &[
    Package {
        name: "traffic-scikit-image-0.26.0",
        variable: VARIABLE,
        file: "astronaut.png",
        treatment: Treatment::Take(&[
            "skimage/data/astronaut.png",
            "skimage/data/camera.png",
            "skimage/data/chelsea.png",
            "skimage/data/coffee.png",
            "skimage/data/hubble_deep_field.jpg",
            "skimage/data/motorcycle_left.png",
            "skimage/data/page.png",
            "skimage/data/retina.jpg",
            "skimage/data/rocket.jpg",
            "skimage/data/text.png",
        ]),
        sources: &[Source {
            origin: Origin::Python(
                "scikit-image==0.26.0",
                &[
                    "--only-binary=:all:",
                    "--implementation=cp",
                    "--python-version=3.11",
                    "--platform=manylinux_2_28_x86_64",
                ],
            ),
            sha256: "74aa5518ccea28121f57a95374581d3b979839adc25bb03f289b1bc9b99c58af",
        }],
    },
    Package {
        name: "traffic-ultralytics-8.4.190",
        variable: VARIABLE,
        file: "bus.jpg",
        treatment: Treatment::Take(&["ultralytics/assets/bus.jpg", "ultralytics/assets/zidane.jpg"]),
        sources: &[Source {
            origin: Origin::Python("ultralytics==8.4.190", &["--only-binary=:all:"]),
            sha256: "bd309728efa168af64d39040136828edd2dbcb4aeceb4510bdff4f3ca0ea01b8",
        }],
    },
    Package {
        name: "traffic-ocrmypdf-17.13.0",
        variable: VARIABLE,
        file: "linn.png",
        treatment: Treatment::Take(&[
            "ocrmypdf-17.13.0/tests/resources/baiona.png",
            "ocrmypdf-17.13.0/tests/resources/c03-29.pdf",
            "ocrmypdf-17.13.0/tests/resources/francais.pdf",
            "ocrmypdf-17.13.0/tests/resources/graph.pdf",
            "ocrmypdf-17.13.0/tests/resources/linn.pdf",
            "ocrmypdf-17.13.0/tests/resources/linn.png",
            "ocrmypdf-17.13.0/tests/resources/tagged.pdf",
            "ocrmypdf-17.13.0/tests/resources/typewriter.png",
        ]),
        sources: &[Source {
            origin: Origin::Python("ocrmypdf==17.13.0", &["--no-binary=:all:"]),
            sha256: "151c35d810eb628fbc5cb9bbe80b834ecf094737efa0e7a2e9e1fac3c730ed49",
        }],
    },
    Package {
        name: "traffic-pypdf-7.1.0",
        variable: VARIABLE,
        file: "git.pdf",
        treatment: Treatment::Take(&[
            "pypdf-7.1.0/resources/AutoCad_Diagram.pdf",
            "pypdf-7.1.0/resources/FormTestFromOo.pdf",
            "pypdf-7.1.0/resources/GeoBase_NHNC1_Data_Model_UML_EN.pdf",
            "pypdf-7.1.0/resources/Seige_of_Vicksburg_Sample_OCR.pdf",
            "pypdf-7.1.0/resources/git.pdf",
            "pypdf-7.1.0/resources/pdflatex-outline.pdf",
            "pypdf-7.1.0/resources/side-by-side-subfig.pdf",
        ]),
        sources: &[Source {
            origin: Origin::Python("pypdf==7.1.0", &["--no-binary=:all:"]),
            sha256: "ca3fa902369e98a6d2cb7b56396de902b72ef9bb3c1e8706c1bfc7d8bd0cf0d7",
        }],
    },
    Package {
        name: "traffic-python-docx-1.2.0",
        variable: VARIABLE,
        file: "having-images.docx",
        treatment: Treatment::Take(&[
            "python_docx-1.2.0/features/steps/test_files/comments-rich-para.docx",
            "python_docx-1.2.0/features/steps/test_files/par-known-paragraphs.docx",
            "python_docx-1.2.0/features/steps/test_files/tbl-having-tables.docx",
            "python_docx-1.2.0/tests/test_files/having-images.docx",
        ]),
        sources: &[Source {
            origin: Origin::Python("python-docx==1.2.0", &["--no-binary=:all:"]),
            sha256: "7bc9d7b7d8a69c9c02ca09216118c86552704edc23bac179283f2e38f86220ce",
        }],
    },
    Package {
        name: "traffic-python-pptx-1.0.2",
        variable: VARIABLE,
        file: "prs-notes.pptx",
        treatment: Treatment::Take(&[
            "python_pptx-1.0.2/features/steps/test_files/ph-populated-placeholders.pptx",
            "python_pptx-1.0.2/features/steps/test_files/prs-notes.pptx",
            "python_pptx-1.0.2/features/steps/test_files/shp-shapes.pptx",
        ]),
        sources: &[Source {
            origin: Origin::Python("python-pptx==1.0.2", &["--no-binary=:all:"]),
            sha256: "479a8af0eaf0f0d76b6f00b0887732874ad2e3188230315290cd1f9dd9cc7095",
        }],
    },
    Package {
        name: "traffic-odfpy-1.4.1",
        variable: VARIABLE,
        file: "api-for-odfpy.odt",
        treatment: Treatment::Take(&[
            "odfpy-1.4.1/api-for-odfpy.odt",
            "odfpy-1.4.1/tests/examples/chinese_spreadsheet.ods",
            "odfpy-1.4.1/tests/examples/ol.odp",
            "odfpy-1.4.1/tests/examples/serious_poem.odt",
        ]),
        sources: &[Source {
            origin: Origin::Python("odfpy==1.4.1", &["--no-binary=:all:"]),
            sha256: "db766a6e59c5103212f3cc92ec8dd50a0f3a02790233ed0b52148b70d3c438ec",
        }],
    },
];
