% The right-hand side of a double pendulum, as pendulum.c has it.
function p = pendulum ()
  p.inputs = {"a", "rad"; "b", "rad"; "u", "rad/s"; "v", "rad/s"};
  p.outputs = {"u_dot", "rad/s2"; "v_dot", "rad/s2"};
  p.direct = true;
  p.publish = @(state, inputs, t) accelerations (inputs(1), inputs(2), inputs(3), inputs(4));
endfunction

function y = accelerations (a, b, u, v)
  g = 9.81;
  s = sin (a - b);
  c = cos (a - b);
  d = 3.0 - cos (2.0 * (a - b));
  y = [(-3.0 * g * sin(a) - g * sin(a - 2.0 * b) - 2.0 * s * (v * v + u * u * c)) / d;
       2.0 * s * (2.0 * u * u + 2.0 * g * cos(a) + v * v * c) / d];
endfunction
