//! `quartet:language-model/chat` where there is no language model: it says so. Composed with a component that asks for one, it
//! lets that component run on hosts which do not know the interface; what needs no model is answered as always.

#[cfg(target_arch = "wasm32")]
mod component {
    /// Bindings to the world `language-model-provider` in `wit/`.
    #[allow(missing_docs, reason = "generated from wit/, where the documentation is")]
    mod bindings {
        wit_bindgen::generate!({ path: "../../wit", world: "language-model-provider", generate_all });
    }

    use bindings::exports::quartet::language_model::chat::{
        Error, Generation, Guest, GuestGeneration, Model, Options, Outcome, PromptSize, Token, Turn,
    };

    struct Component;

    fn absent() -> Error {
        Error::MissingModel("this host provides none".to_owned())
    }

    impl Guest for Component {
        type Generation = Nothing;

        fn info() -> Result<Model, Error> {
            Err(absent())
        }

        fn prepare(_: Vec<Turn>) -> Result<Option<PromptSize>, Error> {
            Err(absent())
        }

        fn generate(_: Vec<Turn>, _: Options) -> Result<Generation, Error> {
            Err(absent())
        }
    }

    /// Never made.
    struct Nothing;

    impl GuestGeneration for Nothing {
        fn next(&self) -> Result<Option<String>, Error> {
            Err(absent())
        }

        fn outcome(&self) -> Option<Outcome> {
            None
        }

        fn tokens(&self) -> Vec<Token> {
            Vec::new()
        }
    }

    bindings::export!(Component with_types_in bindings);
}
