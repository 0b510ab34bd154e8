//! An engine that was built for graphics processors, where `QUARTET_ACCELERATED_ENGINE` names one: it computes on one and answers as
//! the processor does, confined. Vulkan's software driver will do: `GGML_VK_VISIBLE_DEVICES=0` has llama.cpp take it.

use quartet_tests::skip::not_run;

use super::{local, question};

#[test]
fn a_graphics_processor_answers_as_the_processor_does() {
    let test = "a graphics processor answers as the processor does";
    let Ok(engine) = std::env::var("QUARTET_ACCELERATED_ENGINE") else {
        return not_run(
            test,
            "`QUARTET_ACCELERATED_ENGINE` names no engine for graphics processors",
        );
    };
    let capital = question("What is the capital of France? Answer with one word.");
    let ask = |accelerator: &str, is_accelerated: bool| {
        let asking = local::start(&["--language-engine", &engine, "--accelerator", accelerator]);
        let told = asking.ask(&capital);
        let page = String::from_utf8(asking.service.client().get("/metrics").body).unwrap();
        let device = page
            .lines()
            .find(|line| line.starts_with("quartet_llm_accelerator_info{"))
            .unwrap_or_else(|| panic!("no device in\n{page}"));
        assert_eq!(!device.contains("\"none\""), is_accelerated, "{device}");
        println!("{accelerator}: {device}");
        assert_eq!(asking.metric("quartet_llm_engine_confined{by=\"seccomp\"}"), 1.0);
        let log = asking.service.wait_for_log(&["the language model is loaded"]);
        println!("{log}");
        told.text()
    };
    let (accelerated, processor) = (ask("auto", true), ask("none", false));
    assert!(accelerated.contains("Paris"), "{accelerated}");
    assert_eq!(accelerated, processor);
}

#[test]
fn an_engine_without_any_computes_by_the_processor() {
    let asking = local::start(&["--accelerator", "cuda"]);
    let told = asking.ask(&question("What is the capital of France? Answer with one word."));
    assert!(told.text().contains("Paris"), "{told:?}");
    assert_eq!(asking.metric("quartet_llm_accelerator_info{device=\"none\"}"), 1.0);
}
