//! Python's pickles, as far as dictionaries of tensors need them. Nothing is called and nothing is imported: a call is
//! kept as the name of the function and its arguments, so that a file can do nothing but be read.

use std::collections::HashMap;

use anyhow::{Context, Result, bail};

/// A value in a pickle.
#[derive(Debug, Clone, PartialEq)]
pub enum Object {
    /// `None`.
    Nothing,
    /// `True` and `False`.
    Truth(bool),
    /// A number of up to 32 bits.
    Integer(i64),
    /// A number of any length: little-endian, two's complement.
    Long(Vec<u8>),
    /// A text.
    Text(String),
    /// A tuple.
    Tuple(Vec<Object>),
    /// A list.
    List(Vec<Object>),
    /// A dictionary, ordered or not.
    Dictionary(Vec<(Object, Object)>),
    /// A class or function, with its module.
    Name(String),
    /// A call of the function of this name.
    Call(String, Vec<Object>),
    /// An object beside the pickle.
    Persistent(Box<Object>),
}

/// The state of a reader.
#[derive(Default)]
struct Machine {
    stack: Vec<Object>,
    marks: Vec<usize>,
    memory: HashMap<u32, Object>,
}

/// Reads one pickle and leaves in `input` what comes after it.
///
/// # Errors
/// When it is none, or uses an operation that is not known here.
pub fn load(input: &mut &[u8]) -> Result<Object> {
    let mut machine = Machine::default();
    loop {
        let [operation] = *take::<1>(input)?;
        if operation == b'.' {
            return machine.pop();
        }
        machine.step(operation, input)?;
    }
}

impl Machine {
    fn step(&mut self, operation: u8, input: &mut &[u8]) -> Result<()> {
        match operation {
            0x80 => drop(take::<1>(input)?),
            b'(' => self.marks.push(self.stack.len()),
            b'N' => self.stack.push(Object::Nothing),
            0x88 => self.stack.push(Object::Truth(true)),
            0x89 => self.stack.push(Object::Truth(false)),
            b'J' => self
                .stack
                .push(Object::Integer(i32::from_le_bytes(*take(input)?).into())),
            b'K' => self.stack.push(Object::Integer(take::<1>(input)?[0].into())),
            b'M' => self
                .stack
                .push(Object::Integer(u16::from_le_bytes(*take(input)?).into())),
            0x8a => {
                let length = take::<1>(input)?[0].into();
                self.stack.push(Object::Long(take_slice(input, length)?.to_vec()));
            }
            b'X' => {
                let length = u32::from_le_bytes(*take(input)?) as usize;
                let text = std::str::from_utf8(take_slice(input, length)?).context("a text is not UTF-8")?;
                self.stack.push(Object::Text(text.to_owned()));
            }
            b'c' => {
                let (module, name) = (line(input)?, line(input)?);
                self.stack.push(Object::Name(format!("{module}.{name}")));
            }
            b')' => self.stack.push(Object::Tuple(Vec::new())),
            b']' => self.stack.push(Object::List(Vec::new())),
            b'}' => self.stack.push(Object::Dictionary(Vec::new())),
            b't' => {
                let elements = self.above_mark()?;
                self.stack.push(Object::Tuple(elements));
            }
            0x85..=0x87 => {
                let start = self
                    .stack
                    .len()
                    .checked_sub(usize::from(operation - 0x84))
                    .context("the stack is empty")?;
                let elements = self.stack.split_off(start);
                self.stack.push(Object::Tuple(elements));
            }
            b'q' => self.remember(take::<1>(input)?[0].into())?,
            b'r' => self.remember(u32::from_le_bytes(*take(input)?))?,
            b'h' => self.recall(take::<1>(input)?[0].into())?,
            b'j' => self.recall(u32::from_le_bytes(*take(input)?))?,
            b'Q' => {
                let id = self.pop()?;
                self.stack.push(Object::Persistent(Box::new(id)));
            }
            b'R' => self.call()?,
            // What an object of a class is filled with: of no use without the class.
            b'b' => drop(self.pop()?),
            b'a' | b'e' => {
                let elements = if operation == b'a' {
                    vec![self.pop()?]
                } else {
                    self.above_mark()?
                };
                let Some(Object::List(list)) = self.stack.last_mut() else {
                    bail!("there is no list to add to")
                };
                list.extend(elements);
            }
            b's' | b'u' => {
                let elements = if operation == b's' {
                    let value = self.pop()?;
                    vec![self.pop()?, value]
                } else {
                    self.above_mark()?
                };
                let Some(Object::Dictionary(entries)) = self.stack.last_mut() else {
                    bail!("there is no dictionary to add to");
                };
                let mut elements = elements.into_iter();
                while let (Some(key), Some(value)) = (elements.next(), elements.next()) {
                    entries.push((key, value));
                }
            }
            operation => bail!("the operation {operation:#04x} is not known here"),
        }
        Ok(())
    }

    fn pop(&mut self) -> Result<Object> {
        self.stack.pop().context("the stack is empty")
    }

    fn above_mark(&mut self) -> Result<Vec<Object>> {
        let mark = self.marks.pop().context("there is no mark")?;
        if mark > self.stack.len() {
            bail!("the mark is above the stack");
        }
        Ok(self.stack.split_off(mark))
    }

    fn remember(&mut self, place: u32) -> Result<()> {
        let object = self.stack.last().context("the stack is empty")?.clone();
        self.memory.insert(place, object);
        Ok(())
    }

    fn recall(&mut self, place: u32) -> Result<()> {
        let object = self
            .memory
            .get(&place)
            .context("there is nothing at this place")?
            .clone();
        self.stack.push(object);
        Ok(())
    }

    fn call(&mut self) -> Result<()> {
        let Object::Tuple(arguments) = self.pop()? else {
            bail!("the arguments of a call are no tuple")
        };
        let Object::Name(function) = self.pop()? else {
            bail!("what is called is no function")
        };
        let made = if function == "collections.OrderedDict" && arguments.is_empty() {
            Object::Dictionary(Vec::new())
        } else {
            Object::Call(function, arguments)
        };
        self.stack.push(made);
        Ok(())
    }
}

fn take<'a, const N: usize>(input: &mut &'a [u8]) -> Result<&'a [u8; N]> {
    let (taken, rest) = input.split_first_chunk().context("the file ends inside of a pickle")?;
    *input = rest;
    Ok(taken)
}

fn take_slice<'a>(input: &mut &'a [u8], length: usize) -> Result<&'a [u8]> {
    let (taken, rest) = input
        .split_at_checked(length)
        .context("the file ends inside of a pickle")?;
    *input = rest;
    Ok(taken)
}

fn line<'a>(input: &mut &'a [u8]) -> Result<&'a str> {
    let end = input
        .iter()
        .position(|byte| *byte == b'\n')
        .context("a line has no end")?;
    let taken = take_slice(input, end)?;
    take::<1>(input)?;
    std::str::from_utf8(taken).context("a name is not UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_python_writes() {
        // pickle.dumps({'a': [1, 300, None], 'b': (True, 'ä')}, protocol=2)
        let pickled = b"\x80\x02}q\x00(X\x01\x00\x00\x00aq\x01]q\x02(K\x01M\x2c\x01NeX\x01\x00\x00\x00bq\x03\x88X\x02\x00\x00\x00\xc3\xa4q\x04\x86q\x05u.rest";
        let mut input = pickled.as_slice();
        let object = load(&mut input).expect("it is a pickle");
        let text = |text: &str| Object::Text(text.to_owned());
        let list = Object::List(vec![Object::Integer(1), Object::Integer(300), Object::Nothing]);
        let tuple = Object::Tuple(vec![Object::Truth(true), text("ä")]);
        assert_eq!(object, Object::Dictionary(vec![(text("a"), list), (text("b"), tuple)]));
        assert_eq!(input, b"rest");
    }

    #[test]
    fn calls_are_kept_and_not_made() {
        // pickle.dumps of an object whose reconstruction is os.system('true')
        let pickled = b"\x80\x02cposix\nsystem\nq\x00X\x04\x00\x00\x00trueq\x01\x85q\x02Rq\x03.";
        let object = load(&mut pickled.as_slice()).expect("it is a pickle");
        assert_eq!(
            object,
            Object::Call("posix.system".into(), vec![Object::Text("true".into())])
        );
    }

    #[test]
    fn broken_pickles_are_refused() {
        for broken in [
            b"".as_slice(),
            b"\x80",
            b".",
            b"X\xff\xff\xff\xffabc",
            b"t.",
            b"\x87.",
            b"R.",
            b"hz.",
        ] {
            assert!(load(&mut &*broken).is_err(), "{broken:?}");
        }
    }
}
