// Take part in a simulation of Cardan with a Scilab function: scilab = "controller.sci" in a description.
//
//   function p = controller()
//       p.inputs = {"position", "m"; "velocity", "m/s"};      // name, unit, start value (0 if left out)
//       p.outputs = {"force", "N"};                           // name, unit, a value of that type and size
//       p.parameters = {"weight", "1", 100};                  // name, unit, default
//       p.direct = %t;                                        // outputs react at once to inputs
//       p.initialize = "K = lqr(…); trajectory = [];";        // before the run
//       p.step = "trajectory($ + 1, :) = [t, position];";     // at each communication point
//       p.publish = "force = K * [position; velocity];";      // sets the outputs
//       p.changed = "K = …";                                  // with it, parameters can change while it runs
//       p.terminate = "csvWrite(trajectory, ""it.csv"");";    // after the run
//   endfunction
//
// The commands run in one workspace. Parameters, inputs, t, dt, start and stop are variables of their names there, and
// the outputs are read from it. Functions of the same file can be called. cardan_read(t) gives all real inputs at any
// time of a step as a column. Columns of texts are several lines.
//
// A port has the type and the size of its value: a number is a real, int32(0) an integer, %f a boolean, "" a string.
// p.period = 0.1 samples: it acts that often, and its outputs hold. cardan_log("text", "warning") tells people.
// The protocol: docs/book/protocol.md.

// Sends a message: pieces are forms of mput, each followed by numbers.
function cardan_send(kind, flags, sequence, pieces)
    total = 0;
    widths = struct("uc", 1, "uil", 4, "dl", 8, "ll", 8);
    for k = 1:2:size(pieces)
        total = total + size(pieces(k + 1), "*") * widths(pieces(k));
    end
    mput(total, "uil", cardan_out);
    mput([kind, flags], "usl", cardan_out);
    mput(sequence, "uc", cardan_out);
    for k = 1:2:size(pieces)
        if size(pieces(k + 1), "*") > 0 then
            mput(pieces(k + 1), pieces(k), cardan_out);
        end
    end
    mseek(0, cardan_out, "cur");  // Flushes: Scilab has no other word for it.
endfunction

// Reads so many numbers.
function numbers = cardan_get(count, form)
    numbers = [];
    if count > 0 then
        numbers = mget(count, form, cardan_in);
        if size(numbers, "*") < count then
            exit(1);  // Cardan is gone.
        end
    end
endfunction

// Reads a list of ports, counted from one behind those before.
function numbers = cardan_numbers(before)
    numbers = cardan_get(cardan_get(1, "uil"), "uil");
    if numbers <> [] then
        numbers = numbers + 1 - before;
    end
endfunction

function [kind, flags, sequence] = cardan_receive()
    cardan_get(1, "uil");
    words = cardan_get(2, "usl");
    [kind, flags] = (words(1), words(2));
    sequence = cardan_get(8, "uc");
endfunction

function pieces = cardan_text(text)
    pieces = list("uil", size(ascii(text), "*"), "uc", ascii(text));
endfunction

// Tells people something; error, warning, info or debug.
function cardan_log(message, level)
    if argn(2) < 2 then
        level = "info";
    end
    number = find(level == ["error", "warning", "info", "debug"]) - 1;
    if number == [] then
        error("there is no level " + level + ": choose error, warning, info or debug");
    end
    cardan_send(8, 0, zeros(1, 8), lstcat(list("uil", number), cardan_text(message)));
endfunction

// What was given, with defaults for the rest.
function p = cardan_complete(given)
    p = struct("inputs", [], "outputs", [], "parameters", [], "direct", %f, "period", [], "initialize", "", "step", "", ..
               "publish", "", "changed", "", "terminate", "");
    known = fieldnames(p);
    for key = fieldnames(given)'
        if and(known <> key) then
            error("there is no field " + key + ": those are " + strcat(known, ", "));
        end
        p(key) = given(key);
    end
    p.nothing = "";
    p.tunable = isfield(given, "changed");
    for key = ["inputs", "outputs", "parameters"]
        p(key) = cardan_ports(p(key), key);
    end
endfunction

// What a table of ports or parameters says, as a list of structs: plane, count and value of each.
function ports = cardan_ports(table, what)
    ports = list();
    if size(table, "*") > 0 & (typeof(table) <> "ce" | and(size(table, "c") <> [2, 3])) then
        error(what + " must be a table: {""name"", ""unit""; …}, with a value as third column");
    end
    for k = 1:size(table, "r") * bool2s(size(table, "*") > 0)
        [name, value] = (table{k, 1}, 0);
        if size(table, "c") == 3 then
            value = table{k, 3};
        end
        usable = regexp(name, "/^(?!cardan_)[A-Za-z_][A-Za-z0-9_]*$/") <> [] & and(name <> ["t", "dt", "start", "stop"]);
        if usable & exists(name) then
            if or(type(evstr(name)) == [13, 130]) then  // A variable would hide it, here as well.
                error("commands cannot have a variable " + name + ": it is a function of Scilab or of the script, take another name");
            end
        end
        if ~usable then
            error("commands cannot have a variable " + name + ": take another name, of letters, digits and _");
        end
        plane = find([type(value) == 1, type(value) == 8, type(value) == 4, type(value) == 10]) - 1;
        if plane == [] | (plane == 3 & size(value, "*") <> 1) then
            error("the value of " + name + " must be a number, a text, %t or %f, or a vector or matrix of numbers");
        end
        ports($ + 1) = struct("name", name, "unit", table{k, 2}, "value", value, "plane", plane, "count", size(value, "*"));
    end
endfunction

// A value as it travels: row by row.
function pieces = cardan_pieces(port, value)
    select port.plane
    case 3 then pieces = cardan_text(value);
    case 2 then pieces = list("uc", matrix(bool2s(value)', 1, -1));
    case 1 then pieces = list("ll", matrix(double(value)', 1, -1));
    else pieces = list("dl", matrix(double(value)', 1, -1));
    end
endfunction

// And back.
function value = cardan_value(port)
    select port.plane
    case 3 then value = ascii(cardan_get(cardan_get(1, "uil"), "uc"));
    case 2 then value = cardan_shaped(cardan_get(port.count, "uc") <> 0, port);
    case 1 then value = iconvert(cardan_shaped(cardan_get(port.count, "ll"), port), inttype(port.value));
    else value = cardan_shaped(cardan_get(port.count, "dl"), port);
    end
endfunction

function value = cardan_shaped(elements, port)
    value = matrix(elements, size(port.value, "c"), size(port.value, "r"))';
endfunction

// Takes the planes from one on, for those inputs that are bound.
function values = cardan_values(ports, taken, values, first)
    for plane = first:3
        for k = taken
            if ports(k).plane == plane then
                values(k) = cardan_value(ports(k));
            end
        end
    end
endfunction

// All inputs at a time of the present step, as a list; those that are not bound, and those that are no reals, keep their values.
function values = cardan_inputs(t)
    values = cardan_given;
    [begin, real] = (1, 1);
    for k = cardan_taken
        if cardan_p.inputs(k).plane == 0 then
            numbers = [];
            for e = 1:cardan_p.inputs(k).count
                s = begin;
                while s < cardan_ends(real) & t >= cardan_segments(1, s)
                    s = s + 1;
                end
                [tau, c] = (t - cardan_segments(2, s), cardan_segments(3:6, s));
                numbers(e) = c(1) + tau * (c(2) + tau * (c(3) + tau * c(4)));
                begin = cardan_ends(real) + 1;
                real = real + 1;
            end
            values(k) = cardan_shaped(numbers, cardan_p.inputs(k));
        end
    end
endfunction

// All real inputs at a time of the present step, as a column.
function column = cardan_read(t)
    values = cardan_inputs(t);
    column = [];
    for k = 1:size(values)
        if cardan_p.inputs(k).plane == 0 then
            column = [column; values(k)(:)];
        end
    end
endfunction

function pieces = cardan_interface(p)
    held = p.period <> [];
    pieces = list("uil", 1, "uc", bool2s(held), "dl", p.period, "uc", 0, "uil", size(p.inputs) + size(p.outputs));
    rest = list("dl", 1, "uil", [0, 0], "uc", [0, 0]);  // nominal value; no choices, description, reason, range
    for k = 1:size(p.inputs)
        port = p.inputs(k);
        pieces = lstcat(pieces, cardan_described(port, [0, port.plane, bool2s(port.plane > 0), 0]), cardan_start(port), rest);
    end
    for k = 1:size(p.outputs)
        port = p.outputs(k);
        pieces = lstcat(pieces, cardan_described(port, [1, port.plane, bool2s(held | port.plane > 0), 0]), list("uc", 0), rest);
    end
    pieces = lstcat(pieces, list("uil", size(p.parameters)));
    for k = 1:size(p.parameters)
        port = p.parameters(k);
        none = list("uc", [0, 0], "uil", [0, 0]);
        pieces = lstcat(pieces, cardan_described(port, [port.plane, bool2s(p.tunable)]), cardan_start(port), none);
    end
    pairs = [];
    for output = 1:size(p.outputs) * bool2s(p.direct)
        for input = 1:size(p.inputs)
            pairs = [pairs, size(p.inputs) + output - 1, input - 1];
        end
    end
    pieces = lstcat(pieces, list("uil", [size(pairs, "*") / 2, pairs], "uc", 0, "uil", [0, 0]));
endfunction

// Name, kind, dimensions and unit.
function pieces = cardan_described(port, kind)
    dimensions = size(port.value);
    dimensions = dimensions(dimensions > 1);
    pieces = lstcat(cardan_text(port.name), list("uc", kind, "uil", [size(dimensions, "*"), dimensions]));
    unit = list(list("uc", 0), lstcat(list("uc", 1), cardan_text(port.unit)));
    pieces = lstcat(pieces, unit(1 + bool2s(port.unit <> "")));
endfunction

function pieces = cardan_start(port)
    pieces = lstcat(list("uc", [1, port.plane], "uil", port.count), cardan_pieces(port, port.value));
endfunction

// The outputs that are bound, as they travel. Each must have its type and size.
function pieces = cardan_planes(ports, wanted, values)
    pieces = list();
    for plane = 0:3
        for k = wanted
            port = ports(k);
            if port.plane <> plane then
                continue
            elseif (plane < 2 & and(type(values(k)) <> [1, 4, 8])) | (plane >= 2 & type(values(k)) <> type(port.value)) then
                error("the output " + port.name + " is given as " + typeof(values(k)));
            elseif plane == 0 & ~isreal(values(k)) then
                error("the output " + port.name + " is given as complex");
            elseif size(values(k), "*") <> port.count then
                error(msprintf("%d values are given for the output %s, which has %d", size(values(k), "*"), port.name, port.count));
            end
            pieces = lstcat(pieces, cardan_pieces(port, values(k)));
        end
    end
endfunction

// The place of an error, in words, if it is in a function of the user.
function words = cardan_where(line, name, words)
    if name <> "" & name <> "execstr" & strindex(name, "cardan_") == [] then
        words = msprintf(" (line %d, in %s)", line, name);
    end
endfunction

// The names of the variables of the commands. A function of Scilab sees those of its callers.
function names = cardan_variables()
    names = setdiff(who("local"), cardan_known);
    names = names(part(names, 1:7) <> "cardan_");
endfunction

// The workspace: whatever in here is not called cardan_… belongs to the commands.
function cardan_loop(cardan_p)
    cardan_known = [];
    cardan_known = cardan_variables();
    [cardan_given, cardan_slots, cardan_taken, cardan_wanted] = (list(), list(), [], []);
    [cardan_put, cardan_names] = ("", "");
    for cardan_k = 1:size(cardan_p.inputs)
        cardan_given(cardan_k) = cardan_p.inputs(cardan_k).value;
        cardan_put(cardan_k) = msprintf("%s = cardan_given(%d);", cardan_p.inputs(cardan_k).name, cardan_k);
    end
    for cardan_k = 1:size(cardan_p.outputs)
        cardan_names(cardan_k) = cardan_p.outputs(cardan_k).name;
    end
    for cardan_k = 1:size(cardan_p.parameters)
        execstr(cardan_p.parameters(cardan_k).name + " = cardan_p.parameters(cardan_k).value;");
    end
    cardan_gather = "cardan_reply = lstcat(cardan_reply, cardan_planes(cardan_p.outputs, cardan_wanted, list(" + ..
                    strcat(cardan_names, ", ") + ")));";
    while %t
        [cardan_kind, cardan_flags, cardan_sequence] = cardan_receive();
        [cardan_hook, cardan_with, cardan_reply, cardan_held] = ("nothing", 0, list(), list());
        select cardan_kind
        case 10 then  // goodbye
            return
        case 16 then  // bind
            cardan_taken = cardan_numbers(0);
            cardan_wanted = cardan_numbers(size(cardan_p.inputs));
        case 17 then  // begin
            cardan_window = cardan_get(3, "dl");
            [t, start, stop, cardan_hook] = (cardan_window(1), cardan_window(1), cardan_window(2), "initialize");
        case 21 then  // parameters
            [t, cardan_hook] = (cardan_get(1, "dl"), "changed");
        case 19 then  // step
            cardan_times = cardan_get(3, "dl");
            cardan_n = cardan_get(5, "uil");  // watch, instants, segments, inputs with several, held
            cardan_get(cardan_n(2), "dl");
            cardan_ends = cardan_get(cardan_n(4), "uil");
            if cardan_n(4) == 0 then
                cardan_ends = 1:cardan_n(3);
            end
            cardan_segments = matrix(cardan_get(6 * cardan_n(3), "dl"), 6, -1);
            for cardan_k = 1:cardan_n(5)  // The first is what holds where the step begins.
                cardan_get(1, "dl");
                cardan_held(cardan_k) = cardan_values(cardan_p.inputs, cardan_taken, cardan_given, 1);
                cardan_given = cardan_held(1);
            end
            [t, dt, cardan_hook] = (cardan_times(1), cardan_times(2) - cardan_times(1), "step");
            cardan_given = cardan_inputs(t);
        case 20 then  // outputs
            t = cardan_get(1, "dl");
            cardan_given = cardan_values(cardan_p.inputs, cardan_taken, cardan_given, 0);
        case 22 then  // terminate
            cardan_hook = "terminate";
        case 32 then  // save
            cardan_slot = list(cardan_given, cardan_variables());
            for cardan_k = 1:size(cardan_slot(2), "*")
                cardan_slot($ + 1) = evstr(cardan_slot(2)(cardan_k));
            end
            cardan_slots(1 + cardan_get(1, "uil")) = cardan_slot;
        case 33 then  // restore
            clear(cardan_variables());
            cardan_slot = cardan_slots(1 + cardan_get(1, "uil"));
            cardan_given = cardan_slot(1);
            for cardan_k = 1:size(cardan_slot(2), "*")
                execstr(cardan_slot(2)(cardan_k) + " = cardan_slot(cardan_k + 2);");
            end
        end
        if or(cardan_kind == [17, 21]) then
            for cardan_k = 1:cardan_get(1, "uil")  // number, type, count, value
                cardan_port = cardan_p.parameters(1 + cardan_get(1, "uil"));
                cardan_get(5, "uc");
                execstr(cardan_port.name + " = cardan_value(cardan_port);");
            end
        end
        cardan_error = execstr([cardan_put; cardan_p(cardan_hook)(:)], "errcatch");
        if cardan_error == 0 & cardan_kind == 19 then
            t = cardan_times(2);
            cardan_given = cardan_inputs(t);
            cardan_with = bitand(cardan_flags, 1);
            cardan_reply = list("uil", [0, 0], "dl", [t, %nan]);
        end
        if cardan_error == 0 & (cardan_kind == 20 | cardan_with == 1) then
            cardan_hook = "publish";
            cardan_error = execstr([cardan_put; cardan_p.publish(:); cardan_gather], "errcatch");
        end
        if cardan_error == 0 then
            cardan_reply = lstcat(list("dl", %inf, "uc", zeros(1, 16)), cardan_reply);
            cardan_send(cardan_kind + 32768, cardan_with, cardan_sequence, cardan_reply);
        else
            [cardan_message, cardan_number, cardan_line, cardan_name] = lasterror(%t);
            cardan_message = strcat(cardan_message, " ") + "." + cardan_where(cardan_line, cardan_name, " (in the commands of " + cardan_hook + ")");
            mfprintf(0, "%s\n", cardan_message);
            cardan_send(9, 0, cardan_sequence, lstcat(list("uil", 0), cardan_text("Scilab: " + cardan_message), list("uc", 0)));
        end
    end
endfunction

function cardan_serve(cardan_file)
    exec(cardan_file, -1);
    [cardan_folder, cardan_name] = fileparts(cardan_file);
    execstr("cardan_p = cardan_complete(" + cardan_name + "());");
    // Pipes share no secret, so these 32 bytes prove nothing; drawing them would disturb the user's random numbers.
    cardan_hello = list("uc", [ascii("CARDAN"), 13, 10], "uil", 1, "uc", zeros(1, 32));
    cardan_send(1, 0, zeros(1, 8), lstcat(cardan_hello, cardan_text(cardan_name), cardan_text(getversion())));
    if cardan_receive() <> 4 then
        error("Cardan does not welcome this participant");
    end
    cardan_get(32, "uc");
    cardan_get(cardan_get(1, "uil"), "uc");
    cardan_send(6, 0, zeros(1, 8), cardan_interface(cardan_p));
    cardan_loop(cardan_p);
endfunction

// The line is two named pipes, see the command that starts this. Once both ends are open, their names are not needed.
funcprot(0);
lines(0);
cardan_folder = getenv("CARDAN_PIPES");
cardan_out = mopen(cardan_folder + "/out", "wb");
cardan_in = mopen(cardan_folder + "/in", "rb");
rmdir(cardan_folder, "s");
if execstr("cardan_serve(getenv(""CARDAN_SCRIPT""));", "errcatch") <> 0 then
    [cardan_message, cardan_number, cardan_line, cardan_name] = lasterror();
    mfprintf(0, "%s%s\n", strcat(cardan_message, " "), cardan_where(cardan_line, cardan_name, ""));
    exit(1);
end
exit(0);
