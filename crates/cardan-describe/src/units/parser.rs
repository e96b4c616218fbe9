//! The grammar of units.
//!
//! ```text
//! unit   = [ factor { ( "." | "*" | "·" | "×" | " " ) factor } { "/" factor } ]
//! factor = ( symbol | "1" | number | "(" unit ")" ) [ power ]
//! power  = [ "^" | "**" ] [ "+" | "-" ] digits | superscripts | "^(" [ "-" ] digits ")"
//! ```
//!
//! `J/kg.K` means one thing to some and another to others, so a product after a slash needs parentheses.

use super::symbols;
use super::{Measure, UnitError};
use crate::diagnostic::nearest;

/// Deeper parentheses and longer texts are not units.
const MAX_LENGTH: usize = 200;
const MAX_POWER: i32 = 20;

pub(super) fn parse(text: &str) -> Result<Measure, UnitError> {
    if text.len() > MAX_LENGTH {
        return Err(UnitError {
            position: 0,
            message: "too long for a unit".into(),
        });
    }
    if matches!(text.trim(), "" | "-" | "1") {
        return Ok(Measure::ONE);
    }
    let mut parser = Parser { text, at: 0 };
    let measure = parser.product()?;
    parser.skip_spaces();
    match parser.peek() {
        None => Ok(measure),
        Some(c) => Err(parser.error(format!("`{c}` is not expected here"))),
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn eat_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn skip_spaces(&mut self) {
        self.eat_while(char::is_whitespace);
    }

    fn error(&self, message: impl Into<String>) -> UnitError {
        UnitError {
            position: self.at,
            message: message.into(),
        }
    }

    fn product(&mut self) -> Result<Measure, UnitError> {
        let mut product = self.factor()?;
        let mut divided = false;
        loop {
            self.skip_spaces();
            let before = self.at;
            if self.eat("/") {
                let divisor = self.factor()?;
                product = self.multiply(product, divisor.inverse())?;
                divided = true;
                continue;
            }
            let sign = ["·", "⋅", "×", "."].into_iter().any(|sign| self.eat(sign))
                || (!self.rest().starts_with("**") && self.eat("*"));
            // Without a sign, what follows a space is a factor too; a closing parenthesis or the end is not.
            if !sign && matches!(self.peek(), None | Some(')')) {
                return Ok(product);
            }
            if divided {
                self.at = before;
                return Err(self.error(
                    "unclear after a division: put what is divided by in parentheses, as in J/(kg.K)",
                ));
            }
            let factor = self.factor()?;
            product = self.multiply(product, factor)?;
        }
    }

    fn multiply(&self, a: Measure, b: Measure) -> Result<Measure, UnitError> {
        a.times(b).ok_or_else(|| self.error("the powers are too large"))
    }

    fn factor(&mut self) -> Result<Measure, UnitError> {
        self.skip_spaces();
        let start = self.at;
        let base = if self.eat("(") {
            let inner = self.product()?;
            self.skip_spaces();
            if !self.eat(")") {
                return Err(self.error("a closing parenthesis is missing"));
            }
            inner
        } else if self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.number()?
        } else {
            self.symbol()?
        };
        let exponent = self.exponent()?;
        base.power(exponent).ok_or_else(|| UnitError {
            position: start,
            message: "the power is too large".into(),
        })
    }

    /// A plain factor, as in `1/s` or `10^3`.
    fn number(&mut self) -> Result<Measure, UnitError> {
        let start = self.at;
        let digits = self.eat_while(|c| c.is_ascii_digit());
        match digits.parse::<f64>() {
            Ok(number) if number > 0.0 && digits.len() <= 15 => {
                let mut measure = Measure::ONE;
                measure.scale.ratio.numerator = number;
                Ok(measure)
            }
            _ => Err(UnitError {
                position: start,
                message: format!("`{digits}` is not a factor of a unit"),
            }),
        }
    }

    fn symbol(&mut self) -> Result<Measure, UnitError> {
        let start = self.at;
        let mut name = self.eat_while(|c| c.is_alphabetic() || matches!(c, '_' | '%' | '°' | '℃' | '℉'));
        // The one family of names with a digit inside.
        if name == "g" && self.rest().starts_with('0') {
            self.at += 1;
            name = &self.text[start..self.at];
        }
        if name.is_empty() {
            return Err(self.error(match self.peek() {
                Some(c) => format!("`{c}` is not expected here"),
                None => "a unit is missing at the end".into(),
            }));
        }
        symbols::find(name).ok_or_else(|| {
            let hint = nearest(name, symbols::names()).map(|known| format!("; did you mean `{known}`?"));
            UnitError {
                position: start,
                message: format!("`{name}` is not a known unit{}", hint.unwrap_or_default()),
            }
        })
    }

    fn exponent(&mut self) -> Result<i32, UnitError> {
        let start = self.at;
        let raised = self.eat("**") || self.eat("^");
        let parenthesis = raised && self.eat("(");
        let superscript = self.eat_while(|c| superscript(c).is_some());
        let digits: String = if superscript.is_empty() {
            let sign = self.eat_while(|c| matches!(c, '+' | '-'));
            let digits = self.eat_while(|c| c.is_ascii_digit());
            format!("{sign}{digits}")
        } else {
            superscript.chars().filter_map(self::superscript).collect()
        };
        if parenthesis && !self.eat(")") {
            return Err(self.error("a closing parenthesis is missing"));
        }
        if digits.is_empty() && !raised {
            return Ok(1);
        }
        match digits.parse::<i32>() {
            Ok(power) if power.abs() <= MAX_POWER => Ok(power),
            _ => Err(UnitError {
                position: start,
                message: "a power must be a whole number between -20 and 20".into(),
            }),
        }
    }
}

fn superscript(c: char) -> Option<char> {
    let plain = match c {
        '⁰' => '0',
        '¹' => '1',
        '²' => '2',
        '³' => '3',
        '⁴' => '4',
        '⁵' => '5',
        '⁶' => '6',
        '⁷' => '7',
        '⁸' => '8',
        '⁹' => '9',
        '⁻' => '-',
        '⁺' => '+',
        _ => return None,
    };
    Some(plain)
}
