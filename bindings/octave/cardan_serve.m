% Take part in a simulation of Cardan with an Octave function: octave = "controller.m" in a description.
%
%   function p = controller ()
%     p.inputs = {"position", "m"; "velocity", "m/s"};          % name, unit, start value (0 if left out)
%     p.outputs = {"force", "N"};                               % name, unit, a value of that type and size
%     p.parameters = {"weight", "1", 100};                      % name, unit, default
%     p.direct = true;                                          % outputs react at once to inputs
%     p.initialize = @(parameters, start, stop) lqr (…);        % the state: anything
%     p.step = @(state, read, t, dt) state;                     % the next state; read (t) gives all inputs at a time
%     p.publish = @(state, inputs, t) -state * inputs;          % the outputs, a column
%     p.changed = @(state, parameters, t) state;                % with it, parameters can change while it runs
%     p.terminate = @(state, t) save ("-text", "it.txt", "state");
%   end
%
% Each of these can be a text instead: commands that run in the workspace of the interpreter, where parameters, inputs,
% t, dt, start, stop and read are variables of their names, and from where the outputs are read.
%
% A port has the type and the size of its value: a number is a real, int64 (0) an integer, false a boolean, "" a string.
% Functions get and give a column of numbers; where not all are real scalars or vectors, a cell with one value for each.
% p.period = 0.1 samples: it acts that often, and its outputs hold. cardan_log ("text", "warning") tells people.
% The protocol: docs/book/protocol.md.
function cardan_serve (file)
  global cardan_line;  % Standard output belongs to whatever is printed, see the command that starts this.
  cardan_line = struct ("in", fopen ("/dev/fd/4", "r"), "out", fopen ("/dev/fd/3", "w"));
  [folder, name] = fileparts (make_absolute_filename (file));
  addpath (folder);
  p = cardan_complete (feval (name));
  cardan_send (1, 0, uint64 (0), [uint8("CARDAN"), uint8([13 10]), cardan_u32(1), uint8(randi (256, 1, 32) - 1), ...
                                  cardan_text(name), cardan_text(["Octave " version()])]);
  if (cardan_receive () != 4)
    error ("Cardan does not welcome this participant");
  endif
  cardan_send (6, 0, uint64 (0), cardan_interface (p));
  cardan_loop (p);
endfunction

% Tells people something; error, warning, info or debug.
function cardan_log (message, level = "info")
  levels = {"error", "warning", "info", "debug"};
  number = find (strcmp (validatestring (level, levels), levels)) - 1;
  cardan_send (8, 0, uint64 (0), [cardan_u32(number), cardan_text(message)]);
endfunction

function p = cardan_complete (given)
  none = @(varargin) [];
  p = struct ("inputs", {cell(0, 3)}, "outputs", {cell(0, 3)}, "parameters", {cell(0, 3)}, "direct", false, "period", [], ...
              "initialize", none, "step", @(state, read, t, dt) state, "publish", none, "changed", none, ...
              "terminate", none);
  for [value, key] = given
    if (! isfield (p, key))
      error ("there is no field `%s`: those are %s\n", key, strjoin (fieldnames (p)', ", "));
    endif
    p.(key) = value;
  endfor
  p.tunable = isfield (given, "changed");
  p.commands = any (structfun (@ischar, given));
  if (p.commands && ! isfield (given, "publish"))
    p.publish = "";  % The outputs are variables already.
  elseif (rows (p.outputs) && ! isfield (given, "publish"))
    error ("there are outputs, but no `publish` that gives them\n");
  endif
  for key = {"inputs", "outputs", "parameters"}
    p.(key{1}) = cardan_ports (p.(key{1}), key{1}, p.commands);
  endfor
endfunction

% What a table of ports or parameters says, as an array of structs: plane, count and size of each.
function ports = cardan_ports (table, what, commands)
  ports = struct ("name", {}, "unit", {}, "value", {}, "plane", {}, "count", {});
  if (! iscell (table) || (rows (table) && ! any (columns (table) == [2 3])))
    error ("`%s` must be a table: {\"name\", \"unit\"; …}, with a value as third column\n", what);
  endif
  for k = 1:rows (table)
    value = {table{k, :}, 0}{3};
    plane = find ([isfloat(value) && isreal(value), isinteger(value), islogical(value), ischar(value)]) - 1;
    if (commands && (! isvarname (table{k, 1}) || any (strcmp (table{k, 1}, {"t", "dt", "start", "stop", "read"}))))
      error ("commands cannot have a variable `%s`: take another name, of letters, digits and _\n", table{k, 1});
    elseif (isempty (plane) || ndims (value) > 2)
      error ("the value of `%s` must be a number, a text or true or false, or a vector or matrix of numbers\n", table{k, 1});
    endif
    count = max (numel (value) * (plane < 3), 1);
    ports(k) = struct ("name", table{k, 1}, "unit", table{k, 2}, "value", value, "plane", plane, "count", count);
  endfor
endfunction

function cardan_loop (p)
  in = p.inputs([]); out = in; wanted = taken = [];  % those that are bound, and their numbers
  parameters = {p.parameters.value};
  given = {p.inputs.value};
  state = []; slots = {}; now = 0;
  while (true)
    [kind, flags, sequence, d] = cardan_receive ();
    reply = uint8 ([]);
    with = 0;
    try
      switch (kind)
        case 10  % goodbye
          return;
        case 16  % bind
          n = cardan_number (d, 1);
          taken = 1 + double (typecast (d(5:4 + 4 * n), "uint32"));
          wanted = 1 - numel (p.inputs) + double (typecast (d(9 + 4 * n:end), "uint32"));
          [in, out] = deal (p.inputs(taken), p.outputs(wanted));
        case 17  % begin
          window = typecast (d(1:24), "double");
          now = window(1);
          parameters = cardan_parameters (p, parameters, d(25:end));
          cardan_put (p, p.inputs, given, "t", now, "start", now, "stop", window(2));
          state = cardan_do (p, "initialize", state, cardan_seen (p.parameters, parameters), window(1), window(2));
        case 21  % parameters
          now = typecast (d(1:8), "double");
          parameters = cardan_parameters (p, parameters, d(9:end));
          state = cardan_do (p, "changed", state, state, cardan_seen (p.parameters, parameters), now);
        case 19  % step
          times = typecast (d(1:24), "double");
          [segments, ends, d] = cardan_segments (d);
          if (numel (d) > 8)
            given(taken) = cardan_values (in, given(taken), d(9:end), 1);  % Those that are no reals hold.
          endif
          read = @(t) cardan_read (given, in, taken, ends, segments, t);
          given = read (times(1));
          seen = @(t) cardan_seen (p.inputs, read (t));
          cardan_put (p, p.inputs, given, "t", times(1), "dt", times(2) - times(1), "read", seen);
          state = cardan_do (p, "step", state, state, seen, times(1), times(2) - times(1));
          now = times(2);
          given = read (now);
          reply = [cardan_u32([0 0]), typecast([now NaN], "uint8")];
          with = bitand (flags, 1);
          if (with)
            reply = [reply, cardan_planes(out, cardan_outputs (p, state, given, now)(wanted))];
          endif
        case 20  % outputs
          now = typecast (d(1:8), "double");
          given(taken) = cardan_values (in, given(taken), d(9:end), 0);
          reply = cardan_planes (out, cardan_outputs (p, state, given, now)(wanted));
        case 22  % terminate
          cardan_put (p, p.inputs, given, "t", now);
          cardan_do (p, "terminate", [], state, now);
        case 32  % save
          slots{1 + cardan_number(d, 1)} = {state, cardan_workspace(p), given, now};
        case 33  % restore
          [state, workspace, given, now] = slots{1 + cardan_number(d, 1)}{:};
          cardan_workspace (p, workspace);
      endswitch
      cardan_send (bitor (kind, 32768), with, sequence, [typecast(Inf, "uint8"), zeros(1, 16, "uint8"), reply]);
    catch problem
      message = problem.message;
      if (! strcmp (problem.identifier, "Cardan:placed"))
        message = [regexprep(message, "[.\\s]+$", "") "." cardan_place(problem.stack, "")];
      endif
      fputs (stderr, [message "\n"]);
      cardan_send (9, 0, sequence, [cardan_u32(0), cardan_text(["Octave: " message]), uint8(0)]);
    end_try_catch
  endwhile
endfunction

% Runs what a user has written: commands, which leave the state as it is, or a function, which gives one.
function state = cardan_do (p, hook, state, varargin)
  if (ischar (p.(hook)))
    try
      evalin ("base", p.(hook));
    catch problem
      place = cardan_place (problem.stack, [" (in the commands of " hook ")"]);
      error ("Cardan:placed", "%s.%s", regexprep (problem.message, "[.\\s]+$", ""), place);
    end_try_catch
  elseif (strcmp (hook, "terminate"))
    p.terminate (varargin{:});
  else
    state = p.(hook) (varargin{:});
  endif
endfunction

% The innermost line that is the user's own, in words.
function words = cardan_place (stack, words)
  for k = 1:find (strncmp ({stack.name}, "cardan_", 7), 1) - 1
    if (! isempty (stack(k).file) && isempty (strfind (stack(k).file, "/share/octave/")))  % none of Octave's own
      [~, name, ending] = fileparts (stack(k).file);
      words = sprintf (" (line %d of %s%s, in %s)", stack(k).line, name, ending, stack(k).name);
      return;
    endif
  endfor
endfunction

% The outputs as a cell, each of the right type and size.
function values = cardan_outputs (p, state, given, t)
  ports = p.outputs;
  if (ischar (p.publish))
    cardan_put (p, p.inputs, given, "t", t);
    cardan_do (p, "publish", state);
    values = cellfun (@(name) evalin ("base", name, ["error ('no command sets the output `" name "`')"]), ...
                      {ports.name}, "UniformOutput", false);
  else
    values = p.publish (state, cardan_seen (p.inputs, given), t);
    if (numel (ports) == 1 && ! iscell (values))
      values = {values};
    elseif (cardan_plain (ports) && numel (values) == sum ([ports.count]) && ! iscell (values))
      values = mat2cell (values(:)', 1, [ports.count]);
    elseif (! iscell (values) || numel (values) != numel (ports))
      error ("publish gives a %s with %d values for %d outputs", class (values), numel (values), sum ([ports.count]));
    endif
  endif
  for k = 1:numel (ports)
    text = ports(k).plane == 3;
    if (text != ischar (values{k}) || ! (text || ((isnumeric (values{k}) || islogical (values{k})) && isreal (values{k}))))
      kind = [{"", "complex "}{1 + iscomplex(values{k})}, class(values{k})];
      error ("the output `%s` is given as %s", ports(k).name, kind);
    elseif (! text && numel (values{k}) != ports(k).count)
      error ("publish gives %d values for the output `%s`, which has %d", numel (values{k}), ports(k).name, ports(k).count);
    endif
  endfor
endfunction

% Do functions see these as a column of numbers?
function plain = cardan_plain (ports)
  plain = all ([ports.plane] == 0) && all (cellfun (@(value) any (size (value) == 1), {ports.value}));
endfunction

% Values as functions see them.
function seen = cardan_seen (ports, values)
  if (cardan_plain (ports))
    seen = cell2mat (cellfun (@(value) value(:), values(:), "UniformOutput", false));
    seen = reshape (seen, numel (seen), 1);
  else
    seen = values(:);
  endif
endfunction

% Makes variables for commands: of ports, and more as names and values.
function cardan_put (p, ports, values, varargin)
  if (p.commands)
    pairs = [{ports.name}, varargin(1:2:end); values(:)', varargin(2:2:end)];
    cellfun (@(name, value) assignin ("base", name, value), pairs(1, :), pairs(2, :));
  endif
endfunction

% All variables of the commands; or puts them back.
function variables = cardan_workspace (p, variables)
  if (nargin == 1)
    variables = struct ();
    for name = evalin ("base", "who")'(1:end * p.commands)
      variables.(name{1}) = evalin ("base", name{1});
    endfor
  elseif (p.commands)
    evalin ("base", "clear -variables");
    for [value, name] = variables
      assignin ("base", name, value);
    endfor
  endif
endfunction

function [segments, ends, rest] = cardan_segments (d)
  n = double (typecast (d(25:44), "uint32"));  % watch, instants, segments, inputs with several, held
  at = 44 + 8 * n(2);
  ends = 1:n(3);
  if (n(4))
    ends = double (typecast (d(at + 1:at + 4 * n(4)), "uint32"));
  endif
  at += 4 * n(4);
  segments = reshape (typecast (d(at + 1:at + 48 * n(3)), "double"), 6, []);
  rest = d(at + 48 * n(3) + 1:end);
endfunction

% All inputs at a time; those that are not bound, and those that are no reals, keep their values.
function values = cardan_read (values, in, taken, ends, segments, t)
  first = real = 1;
  for k = find ([in.plane] == 0)
    value = in(k).value.';  % Elements travel row by row.
    for e = 1:in(k).count
      s = first;
      while (s < ends(real) && t >= segments(1, s))
        s++;
      endwhile
      tau = t - segments(2, s);
      value(e) = segments(3, s) + tau * (segments(4, s) + tau * (segments(5, s) + tau * segments(6, s)));
      first = ends(real++) + 1;
    endfor
    values{taken(k)} = value.';
  endfor
endfunction

% Takes the planes from one on out of bytes, for these ports.
function values = cardan_values (ports, values, d, first)
  at = 1;
  for plane = first:3
    for k = find ([ports.plane] == plane)
      [values{k}, at] = cardan_value (ports(k), d, at);
    endfor
  endfor
endfunction

function [value, at] = cardan_value (port, d, at)
  switch (port.plane)
    case 3
      size = cardan_number (d, at);
      at += 4;
      value = char (d(at:at + size - 1));
    case 2
      size = port.count;
      value = d(at:at + size - 1) != 0;
    otherwise
      size = 8 * port.count;
      value = typecast (d(at:at + size - 1), {"double", "int64"}{port.plane + 1});
  endswitch
  at += size;
  if (port.plane < 3)
    value = reshape (value, columns (port.value), rows (port.value)).';
  endif
endfunction

function bytes = cardan_planes (ports, values)
  bytes = uint8 ([]);
  for plane = 0:3
    for k = find ([ports.plane] == plane)
      bytes = [bytes, cardan_bytes(plane, values{k})];
    endfor
  endfor
endfunction

function bytes = cardan_bytes (plane, value)
  if (plane == 3)
    bytes = cardan_text (value);
  elseif (plane == 2)
    bytes = uint8 (reshape (value.', 1, []) != 0);
  else
    bytes = typecast (reshape ({@double, @int64}{plane + 1} (value).', 1, []), "uint8");
  endif
endfunction

function values = cardan_parameters (p, values, d)
  at = 5;
  for k = 1:cardan_number (d, 1)  % number, type, count, value
    number = 1 + cardan_number (d, at);
    [values{number}, at] = cardan_value (p.parameters(number), d, at + 9);
  endfor
  cardan_put (p, p.parameters, values);
endfunction

function bytes = cardan_interface (p)
  held = ! isempty (p.period);
  bytes = [cardan_u32(1), uint8(held), typecast(double (p.period), "uint8"), uint8(0)];
  bytes = [bytes, cardan_u32(numel (p.inputs) + numel (p.outputs))];
  rest = [typecast(1, "uint8"), cardan_u32([0 0]), uint8([0 0])];  % nominal value; no choices, description, reason, range
  for port = p.inputs
    bytes = [bytes, cardan_described(port, [0 port.plane (port.plane > 0) 0]), cardan_start(port), rest];
  endfor
  for port = p.outputs
    bytes = [bytes, cardan_described(port, [1 port.plane (held || port.plane > 0) 0]), uint8(0), rest];
  endfor
  bytes = [bytes, cardan_u32(numel (p.parameters))];
  for port = p.parameters
    bytes = [bytes, cardan_described(port, [port.plane p.tunable]), cardan_start(port), uint8([0 0]), cardan_u32([0 0])];
  endfor
  [input, output] = meshgrid (0:numel (p.inputs) - 1, numel (p.inputs) + (0:numel (p.outputs) - 1));
  pairs = [output(:)'; input(:)'](:)'(1:end * p.direct);
  bytes = [bytes, cardan_u32(numel (pairs) / 2), cardan_u32(pairs), uint8(0), cardan_u32([0 0])];
endfunction

function bytes = cardan_described (port, kind)
  dimensions = size (port.value);
  dimensions = dimensions(dimensions > 1 & port.plane < 3);
  unit = {uint8(0), [uint8(1), cardan_text(port.unit)]}{1 + ! isempty (port.unit)};
  bytes = [cardan_text(port.name), uint8(kind), cardan_u32([numel(dimensions) dimensions]), unit];
endfunction

function bytes = cardan_start (port)
  bytes = [uint8([1 port.plane]), cardan_u32(port.count), cardan_bytes(port.plane, port.value)];
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

function cardan_send (kind, flags, sequence, payload)
  global cardan_line;
  fflush (stdout);
  header = [cardan_u32(numel (payload)), typecast(uint16 ([kind flags]), "uint8"), typecast(sequence, "uint8")];
  fwrite (cardan_line.out, [header, payload], "uint8");
  fflush (cardan_line.out);
endfunction

function [kind, flags, sequence, payload] = cardan_receive ()
  global cardan_line;
  header = fread (cardan_line.in, [1 16], "uint8=>uint8");
  if (numel (header) < 16)
    exit (1);  % Cardan is gone.
  endif
  [kind, flags] = num2cell (double (typecast (header(5:8), "uint16"))){:};
  sequence = typecast (header(9:16), "uint64");
  payload = fread (cardan_line.in, [1 cardan_number(header, 1)], "uint8=>uint8");
endfunction
