//! Chat templates: what a model's file says about how a conversation is laid out, in Jinja as the field writes it
//! (the `apply_chat_template` of Hugging Face's `transformers`).

use minijinja::{Environment, Error, ErrorKind, context};
use serde::Serialize;

/// The name of the one template in its environment.
const NAME: &str = "chat";

/// Steps of a rendering. Templates come from files that anybody may have made; one that does not end is an error.
const MAX_STEPS: u64 = 1_000_000;

/// A turn as templates see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Message {
    /// `system`, `user` or `assistant`.
    pub role: &'static str,
    /// Text.
    pub content: String,
}

/// A chat template.
pub struct Template {
    environment: Environment<'static>,
    /// Text of the token at the beginning of a conversation; empty where the model has none.
    begin: String,
    /// Text of the token at its end.
    end: String,
}

impl Template {
    /// Reads a template; `begin` and `end` are what it knows as `bos_token` and `eos_token`.
    ///
    /// # Errors
    /// When it is no Jinja.
    pub fn new(source: &str, begin: &str, end: &str) -> Result<Self, String> {
        let mut environment = Environment::new();
        environment.set_trim_blocks(true);
        environment.set_lstrip_blocks(true);
        environment.set_fuel(Some(MAX_STEPS));
        environment.set_unknown_method_callback(minijinja_contrib::pycompat::unknown_method_callback);
        environment.add_function("raise_exception", |reason: String| -> Result<(), Error> {
            Err(Error::new(ErrorKind::InvalidOperation, reason))
        });
        environment
            .add_template_owned(NAME, source.to_owned())
            .map_err(|error| error.to_string())?;
        Ok(Self {
            environment,
            begin: begin.to_owned(),
            end: end.to_owned(),
        })
    }

    /// The text of a conversation, up to where the next turn of the assistant begins. Models that think before they
    /// answer are told not to.
    ///
    /// # Errors
    /// When the template takes no such conversation: what it says about it.
    pub fn render(&self, messages: &[Message]) -> Result<String, String> {
        let template = self.environment.get_template(NAME).map_err(|error| error.to_string())?;
        let rendered = template.render(context! {
            messages,
            add_generation_prompt => true,
            enable_thinking => false,
            bos_token => self.begin,
            eos_token => self.end,
        });
        rendered.map_err(|error| error.to_string())
    }

    /// Returns true if a rendered conversation begins with the token of the beginning.
    pub fn begins(&self, rendered: &str) -> bool {
        !self.begin.is_empty() && rendered.starts_with(&self.begin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(role: &'static str, content: &str) -> Message {
        Message {
            role,
            content: content.to_owned(),
        }
    }

    #[test]
    fn renders_what_models_files_have_and_turns_thinking_off() {
        // The constructs that published templates are made of: namespaces, slices, methods of Python, exceptions.
        let source = "{%- set ns = namespace(system='') -%}
{%- for message in messages %}{% if message['role'] == 'system' %}{% set ns.system = message['content'].strip() %}{% endif %}{% endfor -%}
{{ bos_token }}{{ ns.system }}
{% for message in messages if message.role != 'system' %}
    {%- if message.content.startswith('[[') %}
<|{{ message.role }}|>{{ message['content'] | trim }}{{ eos_token }}
    {%- else %}{{ raise_exception('no placeholder') }}{% endif %}
{%- endfor %}
{%- if add_generation_prompt %}
<|assistant|>{% if enable_thinking is defined and enable_thinking is false %}<think></think>{% endif %}
{%- endif %}";
        let template = Template::new(source, "<s>", "</s>").unwrap();
        let said = template
            .render(&[message("system", " Be brief. "), message("user", "[[turn 1]]")])
            .unwrap();
        assert!(template.begins(&said), "{said}");
        assert!(said.contains("Be brief.\n<|user|>"), "{said}");
        assert!(
            said.ends_with("<|user|>[[turn 1]]</s><|assistant|><think></think>"),
            "{said}"
        );
        let refused = template.render(&[message("user", "x")]).unwrap_err();
        assert!(refused.contains("no placeholder"), "{refused}");
    }

    #[test]
    fn a_template_that_does_not_end_is_an_error() {
        let template = Template::new(
            "{% for a in range(10000) %}{% for b in range(10000) %}{{ b }}{% endfor %}{% endfor %}",
            "",
            "",
        );
        assert!(template.unwrap().render(&[]).is_err());
        assert!(Template::new("{% if %}", "", "").is_err());
    }
}
