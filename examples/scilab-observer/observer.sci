// An observer in Scilab: it sees the position of a mass ten times a second, and finds out the velocity.
function p = observer()
    p.inputs = {"measured", "m"};
    p.outputs = {"position", "m"; "velocity", "m/s"};
    p.parameters = {"mass", "kg", 1; "stiffness", "N/m", 1};
    p.period = 0.1;

    p.initialize = "[A, C, L] = design(mass, stiffness, 0.1); x = [0; 0]; worst = [];";
    p.step = ["worst($ + 1) = abs(measured - C * x);"
              "x = A * x + L * (measured - C * x);"];      // what it expects at the next sample
    p.publish = "position = x(1); velocity = x(2);";
    p.terminate = "judge(worst)";
endfunction

// A mass on a spring from sample to sample, and the gain that lets the error shrink by 0.6 and 0.7 each time.
function [A, C, L] = design(mass, stiffness, h)
    A = expm(h * [0, 1; -stiffness / mass, 0]);
    C = [1, 0];
    L = ppol(A', C', [0.6, 0.7])';
endfunction

function judge(errors)
    last = find(errors > 1e-3);
    cardan_log(msprintf("The observer is wrong by more than 1 mm in the first %d samples of %d.", last($), size(errors, "*")));
endfunction
