% Take part in a simulation of Cardan with an Octave function: octave = "controller.m" in a description.
%
%   function p = controller ()
%     p.inputs = {"position", "m"; "velocity", "m/s"};          % name, unit
%     p.outputs = {"force", "N"};
%     p.parameters = {"weight", "1", 100};                      % name, unit, default
%     p.direct = true;                                          % outputs react at once to inputs
%     p.initialize = @(parameters, start, stop) lqr (…);        % the state: anything
%     p.step = @(state, read, t, dt) state;                     % the next state; read (t) gives all inputs at a time
%     p.publish = @(state, inputs, t) -state * inputs;          % the outputs, a column
%   end
%
% Ports are real scalars. States are values, so that steps can be repeated. The protocol: docs/book/protocol.md.
function cardan_serve (file)
  line.in = fopen ("/dev/fd/4", "r");  % Standard output belongs to whatever is printed, see the command that starts this.
  line.out = fopen ("/dev/fd/3", "w");
  [folder, name] = fileparts (make_absolute_filename (file));
  addpath (folder);
  p = cardan_complete (feval (name));
  cardan_send (line, 1, 0, uint64 (0), [uint8("CARDAN"), uint8([13 10]), cardan_u32(1), uint8(randi (256, 1, 32) - 1), ...
                                        cardan_text(name), cardan_text(["Octave " version()])]);
  [kind, ~, ~, ~] = cardan_receive (line);
  if (kind != 4)
    error ("Cardan does not welcome this participant");
  endif
  cardan_send (line, 6, 0, uint64 (0), cardan_interface (p));
  cardan_loop (line, p);
endfunction

function p = cardan_complete (p)
  defaults = {"inputs", cell(0, 2); "outputs", cell(0, 2); "parameters", cell(0, 3); "direct", false;
              "initialize", @(parameters, start, stop) []; "step", @(state, read, t, dt) state;
              "publish", @(state, inputs, t) zeros (rows (p.outputs), 1)};
  for k = 1:rows (defaults)
    if (! isfield (p, defaults{k, 1}))
      p.(defaults{k, 1}) = defaults{k, 2};
    endif
  endfor
endfunction

function cardan_loop (line, p)
  count = rows (p.inputs);
  values = [p.parameters{:, 3}];
  given = zeros (count, 1);
  state = []; slots = {}; in = []; out = [];
  while (true)
    [kind, flags, sequence, d] = cardan_receive (line);
    reply = uint8 ([]);
    with = 0;
    try
      switch (kind)
        case 10  % goodbye
          return;
        case 16  % bind
          n = cardan_number (d, 1);
          in = 1 + double (typecast (d(5:4 + 4 * n), "uint32"));
          m = cardan_number (d, 5 + 4 * n);
          out = 1 - count + double (typecast (d(9 + 4 * n:8 + 4 * (n + m)), "uint32"));
        case 17  % begin
          window = typecast (d(1:24), "double");
          values = cardan_parameters (values, d(25:end));
          state = p.initialize (values, window(1), window(2));
        case 21  % parameters
          values = cardan_parameters (values, d(9:end));
        case 19  % step
          times = typecast (d(1:24), "double");
          n = double (typecast (d(25:44), "uint32"));  % watch, instants, segments, inputs with several, held
          at = 44 + 8 * n(2);
          ends = 1:n(3);
          if (n(4))
            ends = double (typecast (d(at + 1:at + 4 * n(4)), "uint32"));
          endif
          at += 4 * n(4);
          segments = reshape (typecast (d(at + 1:at + 48 * n(3)), "double"), 6, []);
          read = @(t) cardan_read (given, in, ends, segments, t);
          state = p.step (state, read, times(1), times(2) - times(1));
          given = read (times(2));
          reply = [cardan_u32([0 0]), typecast([times(2) NaN], "uint8")];
          with = bitand (flags, 1);
          if (with)
            reply = [reply, cardan_outputs(p, state, given, times(2), out)];
          endif
        case 20  % outputs
          numbers = typecast (d, "double");
          given(in) = numbers(2:end);
          reply = cardan_outputs (p, state, given, numbers(1), out);
        case 32  % save
          slots{1 + cardan_number (d, 1)} = state;
        case 33  % restore
          state = slots{1 + cardan_number (d, 1)};
      endswitch
      cardan_send (line, bitor (kind, 32768), with, sequence, [typecast(Inf, "uint8"), zeros(1, 16, "uint8"), reply]);
    catch problem
      fputs (stderr, [problem.message "\n"]);
      cardan_send (line, 9, 0, sequence, [cardan_u32(0), cardan_text(["Octave: " problem.message "."]), uint8(0)]);
    end_try_catch
  endwhile
endfunction

function y = cardan_outputs (p, state, given, t, out)
  y = double (p.publish (state, given, t))(:);
  if (numel (y) != rows (p.outputs))
    error ("publish gives %d values for %d outputs", numel (y), rows (p.outputs));
  endif
  y = typecast (reshape (y(out), 1, []), "uint8");
endfunction

% All inputs at a time; those that are not bound keep their values.
function u = cardan_read (given, in, ends, segments, t)
  u = given;
  first = 1;
  for k = 1:numel (in)
    s = first;
    while (s < ends(k) && t >= segments(1, s))
      s++;
    endwhile
    tau = t - segments(2, s);
    u(in(k)) = segments(3, s) + tau * (segments(4, s) + tau * (segments(5, s) + tau * segments(6, s)));
    first = ends(k) + 1;
  endfor
endfunction

function values = cardan_parameters (values, d)
  at = 5;
  for k = 1:cardan_number (d, 1)  % number, type, count, value: 17 bytes each
    values(1 + cardan_number (d, at)) = typecast (d(at + 9:at + 16), "double");
    at += 17;
  endfor
endfunction

function bytes = cardan_interface (p)
  bytes = [cardan_u32(1), uint8([0 0]), cardan_u32(rows (p.inputs) + rows (p.outputs))];
  real = [typecast(1, "uint8"), cardan_u32([0 0]), uint8([0 0])];  % nominal value; no choices, no description, no reason, no range
  for k = 1:rows (p.inputs)
    bytes = [bytes, cardan_text(p.inputs{k, 1}), uint8([0 0 0 0]), cardan_u32(0), uint8(1), cardan_text(p.inputs{k, 2}), ...
             uint8([1 0]), cardan_u32(1), typecast(0, "uint8"), real];
  endfor
  for k = 1:rows (p.outputs)
    bytes = [bytes, cardan_text(p.outputs{k, 1}), uint8([1 0 0 0]), cardan_u32(0), uint8(1), cardan_text(p.outputs{k, 2}), ...
             uint8(0), real];
  endfor
  bytes = [bytes, cardan_u32(rows (p.parameters))];
  for k = 1:rows (p.parameters)
    bytes = [bytes, cardan_text(p.parameters{k, 1}), uint8([0 1]), cardan_u32(0), uint8(1), cardan_text(p.parameters{k, 2}), ...
             uint8([1 0]), cardan_u32(1), typecast(double (p.parameters{k, 3}), "uint8"), uint8([0 0]), cardan_u32([0 0])];
  endfor
  pairs = [];
  if (p.direct)
    [input, output] = meshgrid (0:rows (p.inputs) - 1, rows (p.inputs) + (0:rows (p.outputs) - 1));
    pairs = [output(:)'; input(:)'](:)';
  endif
  bytes = [bytes, cardan_u32(numel (pairs) / 2), cardan_u32(pairs), uint8(0), cardan_u32([0 0])];
endfunction

function bytes = cardan_u32 (numbers)
  bytes = typecast (uint32 (numbers), "uint8");
endfunction

function bytes = cardan_text (text)
  bytes = [cardan_u32(numel (text)), uint8(text)];
endfunction

function number = cardan_number (d, at)
  number = double (typecast (d(at:at + 3), "uint32"));
endfunction

function cardan_send (line, kind, flags, sequence, payload)
  header = [cardan_u32(numel (payload)), typecast(uint16 ([kind flags]), "uint8"), typecast(sequence, "uint8")];
  fwrite (line.out, [header, payload], "uint8");
  fflush (line.out);
endfunction

function [kind, flags, sequence, payload] = cardan_receive (line)
  header = fread (line.in, [1 16], "uint8=>uint8");
  if (numel (header) < 16)
    exit (1);  % Cardan is gone.
  endif
  words = double (typecast (header(5:8), "uint16"));
  kind = words(1);
  flags = words(2);
  sequence = typecast (header(9:16), "uint64");
  payload = uint8 ([]);
  if (cardan_number (header, 1))
    payload = fread (line.in, [1 cardan_number(header, 1)], "uint8=>uint8");
  endif
endfunction
